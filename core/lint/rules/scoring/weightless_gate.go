package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "weightless-gate",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }) {
				return // asserts-nothing reports it
			}
			for _, c := range g.Criteria {
				if c.Weight == 0 && (c.HasBands() && score.Minimum(c) != nil || !c.HasBands() && c.IsRequired()) {
					d := p.Report(c.WeightSpan, "`%s` can fail the rubric and adds nothing to its score", lint.Abbreviate(c.ID))
					d.Fixes = fix.ChangeToNumber(p.NodeAt(c.WeightSpan), 1)
				}
			}
		})
	},
})
