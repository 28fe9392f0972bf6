package grade

import (
	"context"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// gradeSet grades by several assertions that count as one.
func gradeSet(ctx context.Context, t task) Outcome {
	if len(t.grader.Members) == 0 {
		return Outcome{Result: score.UngradedResult("it has no members")}
	}
	out, parts := t.gradeMembers(ctx, func(g *rubric.Grader) float64 { return g.Weight })
	out.Combine = string(rubric.AssertSet)
	out.Result = score.CombineSet(t.ports.Profile, t.grader.Threshold, parts)
	return out
}

// gradeMembers grades by each member, with its weight in the whole.
func (t task) gradeMembers(ctx context.Context, weight func(*rubric.Grader) float64) (Outcome, []score.WeightedResult) {
	var out Outcome
	parts := make([]score.WeightedResult, len(t.grader.Members))
	for i, g := range t.grader.Members {
		m := Grade(ctx, t.ports, t.evalCase, t.withoutSettings(g), t.submission)
		m.Weight = weight(g)
		parts[i] = score.WeightedResult{Name: m.Name, Weight: m.Weight, Result: m.Result}
		out.Members = append(out.Members, m)
		if out.Err == nil {
			out.Err = m.Err
		}
	}
	return out, parts
}

// withoutSettings returns a member as it is graded. The oldest version of the reference removes
// its settings.
func (t task) withoutSettings(g *rubric.Grader) *rubric.Grader {
	if t.isAgentV() && g.Kind == rubric.LLMJudge {
		return &rubric.Grader{Name: g.Name, Kind: g.Kind, Weight: g.Weight}
	}
	return g
}
