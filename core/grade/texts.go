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
	h := haystack{t.sub.Answer, slices.Contains([]string{rubric.IContains, rubric.IContainsAny, rubric.IContainsAll}, a.Type)}
	if h.fold {
		h.text = strings.ToLower(h.text)
	}
	return h
}

func (h haystack) has(text string) bool {
	if h.fold {
		text = strings.ToLower(text)
	}
	return strings.Contains(h.text, text)
}

// lines words a finding: what is said of the texts, each in backticks.
func (h haystack) line(verb string, texts []string) string {
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

func lookContains(t task, a rubric.Assertion) score.Result {
	text, err := oneText(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	h := t.haystack(a)
	if h.has(text) {
		return found(true, h.line("it contains", []string{text}))
	}
	return found(false, h.line("it does not contain", []string{text}))
}

func lookContainsAny(t task, a rubric.Assertion) score.Result {
	texts, err := wanted(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	h := t.haystack(a)
	if i := slices.IndexFunc(texts, h.has); i >= 0 {
		return found(true, h.line("it contains", texts[i:i+1]))
	}
	return found(false, h.line("it contains none of", texts))
}

func lookContainsAll(t task, a rubric.Assertion) score.Result {
	texts, err := wanted(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	h := t.haystack(a)
	if missing := slices.DeleteFunc(slices.Clone(texts), h.has); len(missing) > 0 {
		return found(false, h.line("it does not contain", missing))
	}
	return found(true, h.line("it contains", texts))
}

func lookStartsWith(t task, a rubric.Assertion) score.Result {
	return t.compareText(a, strings.HasPrefix, "it starts with", "it does not start with")
}

func lookEndsWith(t task, a rubric.Assertion) score.Result {
	return t.compareText(a, strings.HasSuffix, "it ends with", "it does not end with")
}

func lookEquals(t task, a rubric.Assertion) score.Result {
	same := func(answer, text string) bool { return answer == text }
	return t.compareText(a, same, "it is", "it is not")
}

// compareText compares the answer with one text, spaces at their ends aside.
func (t task) compareText(a rubric.Assertion, holds func(answer, text string) bool, yes, no string) score.Result {
	text, err := oneText(a)
	if err != nil {
		return score.UngradedResult(err.Error())
	}
	if holds(trimmed(t.sub.Answer), trimmed(text)) {
		return found(true, fmt.Sprintf("%s `%s`", yes, text))
	}
	return found(false, fmt.Sprintf("%s `%s`", no, text))
}

// trimmed returns text without the spaces at its ends, as JavaScript's trim does:
// a byte order mark is one, and NEL is none.
func trimmed(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}
