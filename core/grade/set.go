package grade

import (
	"context"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// gradeSet grades by several assertions that count as one.
func gradeSet(ctx context.Context, t task) Outcome {
	if len(t.g.Members) == 0 {
		return Outcome{Result: score.UngradedResult("it has no members")}
	}
	out, parts := t.members(ctx, func(g *rubric.Grader) float64 { return g.Weight })
	out.Combine = string(rubric.AssertSet)
	out.Result = score.Set(t.ports.Profile, t.g.Threshold, parts)
	return out
}

// members grades by each member, with its share in the whole.
func (t task) members(ctx context.Context, weight func(*rubric.Grader) float64) (Outcome, []score.Weighted) {
	var out Outcome
	parts := make([]score.Weighted, len(t.g.Members))
	for i, g := range t.g.Members {
		m := Grade(ctx, t.ports, t.c, t.stripped(g), t.sub)
		m.Weight = weight(g)
		parts[i] = score.Weighted{Name: m.Name, Weight: m.Weight, Result: m.Result}
		out.Members = append(out.Members, m)
		if out.Err == nil {
			out.Err = m.Err
		}
	}
	return out, parts
}

// stripped is a member as it is graded: the oldest version of the reference
// takes a member's settings away.
func (t task) stripped(g *rubric.Grader) *rubric.Grader {
	if t.agentv() && g.Kind == rubric.LLMJudge {
		return &rubric.Grader{Name: g.Name, Kind: g.Kind, Weight: g.Weight}
	}
	return g
}
