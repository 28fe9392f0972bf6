package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
)

var _ = lint.Register(lint.Rule{
	ID:       "ranges-gap",
	Summary:  "The score ranges of a criterion do not cover all scores",
	Severity: diag.Error,
	Why: `
A judge may give any score from 0 to 10. A score that no range describes is a guess, and the report cannot explain it. In
an evaluator's rubric a gap makes the runner skip the case.
`,
	Bad: rangesExample + `          ⟦- { score_range: [0, 3], expected_outcome: Cold }
          - { score_range: [6, 10], expected_outcome: Warm }⟧
`,
	Good: goodRangesExample,
	Run: func(p *lint.Pass) {
		eachRangedCriterion(p, func(c *rubric.Criterion) {
			if missing := rubric.UncoveredScores(c.Bands); len(missing) > 0 {
				p.Report(c.BandsSpan, "no range contains %s", formatScores(missing))
			}
		})
	},
})
