package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(lint.Rule{
	ID:       "min-score-unused",
	Summary:  "A minimum score is set on a criterion without score ranges",
	Severity: diag.Warning,
	Why: `
Without ~score_ranges~ a criterion is either satisfied or not. It has no score to compare with ~required_min_score~, so
no runner uses the minimum. Add ranges, or use ~required~.
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
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			for _, c := range g.Criteria {
				if c.MinScore == nil || c.HasBands() || !c.BandsSpan.Empty() {
					continue
				}
				if score.HasRanged(g.Criteria) {
					p.Report(c.MinScoreSpan, "`%s` has no `score_ranges`; AgentV grades it 0 to 10 all the same, but the specification ignores this minimum", lint.Abbreviate(c.ID))
					continue
				}
				d := p.Report(c.MinScoreSpan, "this minimum has no effect: `%s` has no `score_ranges`", lint.Abbreviate(c.ID))
				d.Tags = []diag.Tag{diag.Unnecessary}
				d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(c.MinScoreSpan), "remove the minimum")
			}
		})
	},
})
