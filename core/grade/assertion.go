package grade

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// assertionChecks lists what deterministic assertions look for in an answer.
func assertionChecks() map[string]func(task, rubric.Assertion) score.Result {
	return map[string]func(task, rubric.Assertion) score.Result{
		rubric.Contains:     checkContains,
		rubric.ContainsAny:  checkContainsAny,
		rubric.ContainsAll:  checkContainsAll,
		rubric.IContains:    checkContains,
		rubric.IContainsAny: checkContainsAny,
		rubric.IContainsAll: checkContainsAll,
		rubric.StartsWith:   checkStartsWith,
		rubric.EndsWith:     checkEndsWith,
		rubric.Equals:       checkEquals,
		rubric.Regex:        checkRegex,
		rubric.IsJSON:       checkJSON,
	}
}

// gradeAssertion looks at the answer's text alone and gives 1 or 0.
func gradeAssertion(_ context.Context, t task) Outcome {
	if t.grader.Assert == nil {
		return Outcome{Result: score.UngradedResult("it does not say what to look for")}
	}
	look, ok := assertionChecks()[t.grader.Assert.Type]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("`%s` is nothing to look for", t.grader.Assert.Type))}
	}
	return Outcome{Result: look(t, *t.grader.Assert)}
}

// findingResult is the result of looking for something: whether it holds, and a line
// that says so either way.
func findingResult(holds bool, line string) score.Result {
	if holds {
		return score.PlainResult(1, []string{line}, nil, "")
	}
	return score.PlainResult(0, nil, []string{line}, "")
}

// assertionTexts are the texts that an assertion looks for.
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

// assertionText is the text of an assertion that takes only one.
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

// scalarText is a text, or a number or truth value as it is written.
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
