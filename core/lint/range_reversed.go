package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = register(Rule{
	ID:       "range-reversed",
	Summary:  "A score range ends before it begins",
	Severity: diag.Error,
	Why: `
The lowest score comes first. A reversed range holds no score; in an evaluator's rubric it makes the runner skip the
case.
`,
	Bad: rangesExample + `          - ⟦{ score_range: [4, 0], expected_outcome: Cold }⟧
          - { score_range: [5, 10], expected_outcome: Warm }
`,
	Good: goodRangesExample,
	Run: func(p *Pass) {
		p.eachCriterion(func(c *rubric.Criterion) {
			for _, b := range c.Bands {
				if b.Fault() == rubric.ReversedBounds {
					p.Report(b.Span, "this range runs from %v to %v; the lower score comes first", b.Lo, b.Hi)
				}
			}
		})
	},
})
