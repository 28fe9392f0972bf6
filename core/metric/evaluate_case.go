package metric

import (
	"context"
	"fmt"
)

// CaseResult is what all criteria say of a case's conversation.
type CaseResult struct {
	Status  Status   `json:"final_eval_status"`
	Reason  string   `json:"reason,omitempty"` // why nothing was measured
	Metrics []Result `json:"overall_eval_metric_results"`
	Answer  string   `json:"-"` // what the agent said; see [Answers]
}

// EvaluateCase measures a conversation by each criterion. Rubrics are the case's
// own, for every turn, each for the metric that its type names.
func EvaluateCase(ctx context.Context, ports Ports, criteria []Criterion, rubrics []Rubric, c Conversation) CaseResult {
	result := CaseResult{Status: NotEvaluated, Metrics: []Result{}, Answer: FinalAnswers(c.Actual)}
	merged, err := WithRubrics(rubrics, c)
	if err != nil {
		result.Reason = err.Error()
		return result
	}
	var statuses []Status
	for _, criterion := range criteria {
		r := Evaluate(ctx, ports, criterion, merged)
		result.Metrics = append(result.Metrics, r)
		statuses = append(statuses, r.Status)
	}
	result.Status = CaseStatus(statuses)
	return result
}

// WithRubrics is a conversation whose actual turns have the rubrics of the case
// and those of the expected turn, and theirs before. An id that comes twice in a
// turn is an error, whatever the types.
func WithRubrics(rubrics []Rubric, c Conversation) (Conversation, error) {
	actual := make([]Invocation, len(c.Actual))
	for i, a := range c.Actual {
		lists := [][]Rubric{a.Rubrics, rubrics}
		if i < len(c.Expected) {
			lists = append(lists, c.Expected[i].Rubrics)
		}
		merged, duplicate := mergeRubrics(lists...)
		if duplicate != "" {
			return c, fmt.Errorf("a rubric with the id `%s` already exists in turn %d", duplicate, i+1)
		}
		a.Rubrics = merged
		actual[i] = a
	}
	c.Actual = actual
	return c, nil
}

// mergeRubrics is the rubrics of all lists, and the first id that comes a second time.
func mergeRubrics(lists ...[]Rubric) (all []Rubric, duplicate string) {
	seen := map[string]bool{}
	for _, list := range lists {
		for _, r := range list {
			if seen[r.ID] {
				return nil, r.ID
			}
			seen[r.ID] = true
			all = append(all, r)
		}
	}
	return all, ""
}
