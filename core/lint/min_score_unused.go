package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = register(Rule{
	ID:       "min-score-unused",
	Summary:  "A minimum stands on a criterion that has no score",
	Severity: diag.Warning,
	Why: `
Without ~score_ranges~ a criterion is satisfied or not; there is no score to compare with ~required_min_score~, and no
runner looks at it. Add ranges, or use ~required~.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        required_min_score: ⟦7⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        required: true
`,
	Run: func(p *Pass) {
		p.eachRubric(func(_ *rubric.Case, g *rubric.Grader) {
			for _, c := range g.Criteria {
				if c.MinScore == nil || c.HasBands() || !c.BandsSpan.Empty() {
					continue
				}
				if score.HasRanged(g.Criteria) {
					p.Report(c.MinScoreSpan, "`%s` has no `score_ranges`; AgentV grades it 0 to 10 all the same, by the rules nothing is compared with this minimum", abbreviate(c.ID))
					continue
				}
				d := p.Report(c.MinScoreSpan, "nothing is compared with this minimum: `%s` has no `score_ranges`", abbreviate(c.ID))
				d.Tags = []diag.Tag{diag.Unnecessary}
			}
		})
	},
})
