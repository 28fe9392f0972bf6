package grade

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// haystack is an answer to find texts in, in any letter case for those types
// that begin with an i.
type haystack struct {
	text string
	fold bool
}

func (t task) haystack(a rubric.Assertion) haystack {
	h := haystack{t.submission.Answer, slices.Contains([]string{rubric.IContains, rubric.IContainsAny, rubric.IContainsAll}, a.Type)}
	if h.fold {
		h.text = strings.ToLower(h.text)
	}
	return h
}

func (h haystack) contains(text string) bool {
	if h.fold {
		text = strings.ToLower(text)
	}
	return strings.Contains(h.text, text)
}

// lines words a finding: what is said of the texts, each in backticks.
func (h haystack) describe(verb string, texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = "`" + text + "`"
	}
	line := verb + " " + strings.Join(quoted, ", ")
	if h.fold {
		line += ", in any letter case"
	}
	return line
}

func checkContains(t task, a rubric.Assertion) score.Result {
	text, err := assertionText(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	h := t.haystack(a)
	if h.contains(text) {
		return findingResult(true, h.describe("it contains", []string{text}))
	}
	return findingResult(false, h.describe("it does not contain", []string{text}))
}

func checkContainsAny(t task, a rubric.Assertion) score.Result {
	texts, err := assertionTexts(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	h := t.haystack(a)
	if i := slices.IndexFunc(texts, h.contains); i >= 0 {
		return findingResult(true, h.describe("it contains", texts[i:i+1]))
	}
	return findingResult(false, h.describe("it contains none of", texts))
}

func checkContainsAll(t task, a rubric.Assertion) score.Result {
	texts, err := assertionTexts(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	h := t.haystack(a)
	if missing := slices.DeleteFunc(slices.Clone(texts), h.contains); len(missing) > 0 {
		return findingResult(false, h.describe("it does not contain", missing))
	}
	return findingResult(true, h.describe("it contains", texts))
}

func checkStartsWith(t task, a rubric.Assertion) score.Result {
	return t.compareText(a, strings.HasPrefix, "it starts with", "it does not start with")
}

func checkEndsWith(t task, a rubric.Assertion) score.Result {
	return t.compareText(a, strings.HasSuffix, "it ends with", "it does not end with")
}

func checkEquals(t task, a rubric.Assertion) score.Result {
	same := func(answer, text string) bool { return answer == text }
	return t.compareText(a, same, "it is", "it is not")
}

// compareText compares the answer with one text, spaces at their ends aside.
func (t task) compareText(a rubric.Assertion, holds func(answer, text string) bool, yes, no string) score.Result {
	text, err := assertionText(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	if holds(trimSpaceJS(t.submission.Answer), trimSpaceJS(text)) {
		return findingResult(true, fmt.Sprintf("%s `%s`", yes, text))
	}
	return findingResult(false, fmt.Sprintf("%s `%s`", no, text))
}

// trimSpaceJS returns text without the spaces at its ends, as JavaScript's trim does:
// a byte order mark is one, and NEL is none.
func trimSpaceJS(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}
