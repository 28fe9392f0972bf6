package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(lint.Rule{
	ID:       "mixed-rubric",
	Summary:  "Some criteria of a rubric have score ranges and others do not",
	Severity: diag.Info, AboutProfile: true,
	Why: `
By the specification each criterion is graded in its own way. AgentV grades all of them 0 to 10 as soon as one has
ranges. A required criterion without ranges then needs 10 of 10: a 9 fails the rubric.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - ⟦Greets the user by name⟧
      - { id: warm, expected_outcome: Greets the user warmly, score_ranges: { 0: Cold, 5: Warm } }
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - { id: by-name, expected_outcome: Greets the user by name, score_ranges: { 0: Without a name, 10: By name } }
      - { id: warm, expected_outcome: Greets the user warmly, score_ranges: { 0: Cold, 5: Warm } }
`,
	Run: func(p *lint.Pass) {
		p.EachRubric(func(g *rubric.Grader) {
			if !score.HasRanged(g.Criteria) {
				return
			}
			for _, c := range g.Criteria {
				if !c.HasBands() && c.BandsSpan.Empty() && c.IsRequired() {
					p.Report(criterionSpan(c), "in AgentV `%s` is graded 0 to 10 and needs 10, because another criterion has ranges", lint.Abbreviate(c.ID))
				}
			}
		})
	},
})
