package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "ranges-overlap",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		eachRangedCriterion(p, func(c *rubric.Criterion) {
			for _, pair := range rubric.OverlappingBands(c.Bands) {
				a, b := c.Bands[pair[0]], c.Bands[pair[1]]
				d := p.Report(b.Span, "this range, %v to %v, overlaps the range %v to %v", b.Lo, b.Hi, a.Lo, a.Hi)
				d.Notes = []diag.Note{{Span: a.Span, Message: "the other range"}}
				switch {
				case a.Lo < b.Lo && a.Hi < b.Hi:
					d.Fixes = changeBound(p, b, 0, a.Hi+1)
				case b.Lo < a.Lo && b.Hi < a.Hi:
					d.Fixes = changeBound(p, b, 1, a.Lo-1)
				}
			}
		})
	},
})
