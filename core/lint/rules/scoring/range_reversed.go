package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "range-reversed",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.EachCriterion(func(c *rubric.Criterion) {
			for _, b := range c.Bands {
				if b.Fault() == rubric.ReversedBounds {
					d := p.Report(b.Span, "this range is from %v to %v; write the lower score first", b.Lo, b.Hi)
					if lower, higher := changeBound(p, b, 0, b.Hi), changeBound(p, b, 1, b.Lo); lower != nil {
						d.Fixes = []diag.Fix{{Title: "swap the scores", Edits: append(lower[0].Edits, higher[0].Edits...)}}
					}
				}
			}
		})
	},
})
