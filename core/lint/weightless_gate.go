package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = register(Rule{
	ID:       "weightless-gate",
	Summary:  "A required criterion weighs 0",
	Severity: diag.Warning,
	Why: `
It fails the rubric where it is missing and adds nothing where it is there. That is rarely meant: a score of 1 is
reached without it. Give it a weight, or write ~required: false~ to leave it to the report.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - Greets the user by name
      - { id: thanks, expected_outcome: Thanks the user, weight: ⟦0⟧ }
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - Greets the user by name
      - { id: thanks, expected_outcome: Thanks the user, weight: 1 }
`,
	Run: func(p *Pass) {
		p.eachRubric(func(_ *rubric.Case, g *rubric.Grader) {
			if allWeightsZero(g.Criteria, func(c *rubric.Criterion) float64 { return c.Weight }) {
				return // see asserts-nothing
			}
			for _, c := range g.Criteria {
				if c.Weight == 0 && (c.HasBands() && score.Minimum(c) != nil || !c.HasBands() && c.IsRequired()) {
					p.Report(c.WeightSpan, "`%s` can fail the rubric and adds nothing to its score", abbreviate(c.ID))
				}
			}
		})
	},
})
