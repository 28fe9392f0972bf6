package grade

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// looks lists what deterministic assertions look for in an answer.
func looks() map[string]func(task, rubric.Assertion) score.Result {
	return map[string]func(task, rubric.Assertion) score.Result{
		rubric.Contains:     lookContains,
		rubric.ContainsAny:  lookContainsAny,
		rubric.ContainsAll:  lookContainsAll,
		rubric.IContains:    lookContains,
		rubric.IContainsAny: lookContainsAny,
		rubric.IContainsAll: lookContainsAll,
		rubric.StartsWith:   lookStartsWith,
		rubric.EndsWith:     lookEndsWith,
		rubric.Equals:       lookEquals,
		rubric.Regex:        lookRegex,
		rubric.IsJSON:       lookJSON,
	}
}

// gradeAssertion looks at the answer's text alone and gives 1 or 0.
func gradeAssertion(_ context.Context, t task) Outcome {
	if t.g.Assert == nil {
		return Outcome{Result: score.UngradedResult("it does not say what to look for")}
	}
	look, ok := looks()[t.g.Assert.Type]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("`%s` is nothing to look for", t.g.Assert.Type))}
	}
	return Outcome{Result: look(t, *t.g.Assert)}
}

// found is the result of looking for something: whether it holds, and a line
// that says so either way.
func found(holds bool, line string) score.Result {
	if holds {
		return score.Plain(1, []string{line}, nil, "")
	}
	return score.Plain(0, nil, []string{line}, "")
}

// wanted are the texts that an assertion looks for.
func wanted(a rubric.Assertion) ([]string, error) {
	list, ok := a.Value.([]any)
	if !ok {
		list = []any{a.Value}
	}
	texts := make([]string, len(list))
	for i, item := range list {
		text, ok := asText(item)
		if !ok {
			return nil, fmt.Errorf("its `value` is %s, not a text", show(item))
		}
		texts[i] = text
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("its `value` is an empty list, so there is nothing to look for")
	}
	return texts, nil
}

// oneText is the text of an assertion that takes only one.
func oneText(a rubric.Assertion) (string, error) {
	texts, err := wanted(a)
	if err == nil && len(texts) > 1 {
		err = fmt.Errorf("its `value` is a list of %d, where `%s` takes one text", len(texts), a.Type)
	}
	if err != nil {
		return "", err
	}
	return texts[0], nil
}

// asText is a text, or a number or truth value as it is written.
func asText(value any) (string, bool) {
	switch v := value.(type) {
	case nil, map[string]any, []any:
		return "", false
	case string:
		return v, true
	}
	text, err := json.Marshal(value)
	return string(text), err == nil
}
