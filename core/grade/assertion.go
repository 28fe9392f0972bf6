package grade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// assertionChecks are the checks of deterministic assertions, by type.
var assertionChecks = map[string]func(task, rubric.Assertion, []string) score.Result{
	rubric.Contains:     checkContains,
	rubric.ContainsAny:  checkContains,
	rubric.ContainsAll:  checkContains,
	rubric.IContains:    checkContains,
	rubric.IContainsAny: checkContains,
	rubric.IContainsAll: checkContains,
	rubric.StartsWith:   compareText(strings.HasPrefix, "it starts with", "it does not start with"),
	rubric.EndsWith:     compareText(strings.HasSuffix, "it ends with", "it does not end with"),
	rubric.Equals:       compareText(func(a, b string) bool { return a == b }, "it is", "it is not"),
	rubric.Regex:        checkRegex,
	rubric.IsJSON:       checkJSON,
}

// gradeAssertion checks only the answer's text. Its score is 1 or 0.
func gradeAssertion(_ context.Context, t task) Outcome {
	if t.grader.Assert == nil {
		return Outcome{Result: score.UngradedResult("it has no text to look for")}
	}
	a := *t.grader.Assert
	check, ok := assertionChecks[a.Type]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("`%s` is not a known assertion", a.Type))}
	}
	if why := Unsupported(t.grader); why != "" {
		return t.unusable(why)
	}
	texts, err := assertionTexts(a)
	if err != nil && a.Type != rubric.IsJSON {
		return Outcome{Result: score.UngradedResult(err.Error())}
	}
	return Outcome{Result: check(t, a, texts)}
}

// findingResult returns the result of a check: passed or not, with a line that says so.
func findingResult(holds bool, line string) score.Result {
	if holds {
		return score.PlainResult(1, []string{line}, nil, "")
	}
	return score.PlainResult(0, nil, []string{line}, "")
}

// assertionTexts returns the texts of an assertion: one, unless its type takes several.
func assertionTexts(a rubric.Assertion) ([]string, error) {
	list, ok := a.Value.([]any)
	if !ok {
		list = []any{a.Value}
	}
	texts := make([]string, len(list))
	for i, item := range list {
		text, ok := scalarText(item)
		if !ok {
			return nil, errors.New("its `value` " + wrongValue(item, "a text"))
		}
		texts[i] = text
	}
	switch {
	case len(texts) == 0:
		return nil, errors.New("its `value` is an empty list, so there is nothing to look for")
	case len(texts) > 1 && !strings.HasSuffix(a.Type, "-any") && !strings.HasSuffix(a.Type, "-all"):
		return nil, fmt.Errorf("its `value` is a list of %d, where `%s` takes one text", len(texts), a.Type)
	}
	return texts, nil
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

// checkContains searches the answer for all texts, or for any of them. Types that begin with i
// ignore letter case.
func checkContains(t task, a rubric.Assertion, texts []string) score.Result {
	fold, suffix := func(text string) string { return text }, ""
	if strings.HasPrefix(a.Type, "i") {
		fold, suffix = toLowerJS, ", in any letter case"
	}
	answer := fold(t.submission.Answer)
	contains := func(text string) bool { return strings.Contains(answer, fold(text)) }
	finding := func(holds bool, verb string, texts []string) score.Result {
		return findingResult(holds, verb+" `"+strings.Join(texts, "`, `")+"`"+suffix)
	}
	if strings.HasSuffix(a.Type, "-any") {
		if i := slices.IndexFunc(texts, contains); i >= 0 {
			return finding(true, "it contains", texts[i:i+1])
		}
		return finding(false, "it contains none of", texts)
	}
	if missing := slices.DeleteFunc(slices.Clone(texts), contains); len(missing) > 0 {
		return finding(false, "it does not contain", missing)
	}
	return finding(true, "it contains", texts)
}

// compareText returns a check that compares the answer with one text, both trimmed.
func compareText(holds func(answer, text string) bool, yes, no string) func(task, rubric.Assertion, []string) score.Result {
	return func(t task, _ rubric.Assertion, texts []string) score.Result {
		if holds(trimSpaceJS(t.submission.Answer), trimSpaceJS(texts[0])) {
			return findingResult(true, fmt.Sprintf("%s `%s`", yes, texts[0]))
		}
		return findingResult(false, fmt.Sprintf("%s `%s`", no, texts[0]))
	}
}

// toLowerJS returns text in lower case as JavaScript does: a dotted İ keeps its dot.
func toLowerJS(text string) string {
	return strings.ToLower(strings.ReplaceAll(text, "İ", "i\u0307"))
}

// trimSpaceJS trims text as JavaScript does: a byte order mark is white space, and NEL is not.
func trimSpaceJS(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' })
}
