package scoring

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "asserts-nothing",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, c := range p.Suite.Cases {
			switch {
			case len(c.Graders) == 0 && c.Fallback != "" && c.Fallback != rubric.LLMJudge && c.Fallback != rubric.NoGrader:
				p.Report(c.SelectionSpan, "this case has no evaluators, and a `%s` without settings grades nothing", c.Fallback)
			case len(c.Graders) > 0 && allWeightsZero(c.Graders, func(g *rubric.Grader) float64 { return g.Weight }):
				d := p.Report(c.SelectionSpan, "every evaluator of this case has weight 0; the score is always 0")
				d.Fixes = weighEqually(c.Graders, func(g *rubric.Grader) text.Span { return g.WeightSpan })
			}
			for g := range rubric.Walk(c.Graders) {
				switch {
				case len(g.Criteria) > 0 && allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }):
					d := p.Report(g.SelectionSpan, "every criterion of this rubric has weight 0; the score is always 0")
					d.Fixes = weighEqually(g.Criteria, func(c *rubric.Criterion) text.Span { return c.WeightSpan })
				case len(g.Fields) > 0 && allWeightsZero(g.Fields, func(f rubric.Field) float64 { return f.Weight }):
					p.Report(g.SelectionSpan, "every field of `%s` has weight 0; the score is always 0", g.Name)
				case g.Steps != nil && g.Steps.Mode != "subset" && len(g.Steps.Expected)+len(g.Steps.Minimums) == 0: // a subset of no calls forbids all calls
					p.Report(g.SelectionSpan, "`%s` expects no calls; there is nothing to compare", g.Name)
				}
			}
		}
	},
})

func allWeightsZero[T any](list []T, weight func(T) float64) bool {
	return !slices.ContainsFunc(list, func(item T) bool { return weight(item) != 0 })
}

// weighEqually is the fix that gives all of a list the default weight.
func weighEqually[T any](list []T, weight func(T) text.Span) []diag.Fix {
	var spans []text.Span
	for _, item := range list {
		spans = append(spans, weight(item))
	}
	return fix.ChangeNumbers("change the weights to 1", spans, func(int) float64 { return 1 })
}
