package grade

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// assertionChecks returns the checks of deterministic assertions, by type.
func assertionChecks() map[string]func(task, rubric.Assertion) score.Result {
	return map[string]func(task, rubric.Assertion) score.Result{
		rubric.Contains:     checkContains,
		rubric.ContainsAny:  checkContainsAny,
		rubric.ContainsAll:  checkContainsAll,
		rubric.IContains:    checkContains,
		rubric.IContainsAny: checkContainsAny,
		rubric.IContainsAll: checkContainsAll,
		rubric.StartsWith:   compareText(strings.HasPrefix, "it starts with", "it does not start with"),
		rubric.EndsWith:     compareText(strings.HasSuffix, "it ends with", "it does not end with"),
		rubric.Equals:       compareText(func(a, b string) bool { return a == b }, "it is", "it is not"),
		rubric.Regex:        checkRegex,
		rubric.IsJSON:       checkJSON,
	}
}

// gradeAssertion checks only the answer's text. Its score is 1 or 0.
func gradeAssertion(_ context.Context, t task) Outcome {
	if t.grader.Assert == nil {
		return Outcome{Result: score.UngradedResult("it has no text to look for")}
	}
	look, ok := assertionChecks()[t.grader.Assert.Type]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("`%s` is not a known assertion", t.grader.Assert.Type))}
	}
	return Outcome{Result: look(t, *t.grader.Assert)}
}

// findingResult returns the result of a check: passed or not, with a line that says so.
func findingResult(holds bool, line string) score.Result {
	if holds {
		return score.PlainResult(1, []string{line}, nil, "")
	}
	return score.PlainResult(0, nil, []string{line}, "")
}

func assertionTexts(a rubric.Assertion) ([]string, error) {
	list, ok := a.Value.([]any)
	if !ok {
		list = []any{a.Value}
	}
	texts := make([]string, len(list))
	for i, item := range list {
		text, ok := scalarText(item)
		if !ok {
			return nil, fmt.Errorf("its `value` is %s, not a text", describeValue(item))
		}
		texts[i] = text
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("its `value` is an empty list, so there is nothing to look for")
	}
	return texts, nil
}

// assertionText returns the text of an assertion that takes only one.
func assertionText(a rubric.Assertion) (string, error) {
	texts, err := assertionTexts(a)
	if err == nil && len(texts) > 1 {
		err = fmt.Errorf("its `value` is a list of %d, where `%s` takes one text", len(texts), a.Type)
	}
	if err != nil {
		return "", err
	}
	return texts[0], nil
}

// scalarText returns a string, or a number or boolean as written in JSON.
func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case nil, map[string]any, []any:
		return "", false
	case string:
		return v, true
	}
	text, err := json.Marshal(value)
	return string(text), err == nil
}

// A haystack is an answer to search. Types that begin with i ignore letter case.
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

// describe returns a finding about texts, each in backticks.
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

// compareText returns a check that compares the answer with one text, both trimmed.
func compareText(holds func(answer, text string) bool, yes, no string) func(task, rubric.Assertion) score.Result {
	return func(t task, a rubric.Assertion) score.Result {
		text, err := assertionText(a)
		if err != nil {
			return score.UngradedResult(err.Error())
		}
		if holds(trimSpaceJS(t.submission.Answer), trimSpaceJS(text)) {
			return findingResult(true, fmt.Sprintf("%s `%s`", yes, text))
		}
		return findingResult(false, fmt.Sprintf("%s `%s`", no, text))
	}
}

// trimSpaceJS trims text as JavaScript does: a byte order mark is white space, and NEL is not.
func trimSpaceJS(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}
