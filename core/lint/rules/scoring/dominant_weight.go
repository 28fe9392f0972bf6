package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(lint.Rule{
	ID:       "dominant-weight",
	Summary:  "One criterion alone decides whether the verdict is a fail",
	Severity: diag.Warning,
	Why: `
If this criterion is satisfied, the verdict is never a fail; otherwise it always is. The other criteria only decide
between pass and borderline. If you mean that, write ~required: true~; otherwise adjust the weights.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - { id: ⟦by-name⟧, expected_outcome: Greets the user by name, weight: 7, required: false }
      - { id: thanks, expected_outcome: Thanks the user, weight: 2, required: false }
      - { id: asks, expected_outcome: Asks what to do, weight: 1, required: false }
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - { id: by-name, expected_outcome: Greets the user by name, weight: 2, required: false }
      - { id: thanks, expected_outcome: Thanks the user, weight: 2, required: false }
      - { id: asks, expected_outcome: Asks what to do, weight: 1, required: false }
`,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.SoleDecider < 0 || g.Criteria[r.SoleDecider].IsRequired() || len(r.NeverDecisive) > 0 {
				return // a required criterion is meant to decide; idle ones are reported by idle-criterion
			}
			c := g.Criteria[r.SoleDecider]
			worst := withExtremeGrade(g.Criteria, bestGrades(g.Criteria), r.SoleDecider, false)
			only := withExtremeGrade(g.Criteria, r.Witnesses[score.Fail], r.SoleDecider, true)
			d := p.Report(criterionSpan(c), "`%s` alone decides whether the verdict is a fail", lint.Abbreviate(c.ID))
			d.Notes = []diag.Note{witnessNote(g, "all others", worst), witnessNote(g, "only this one", only)}
		})
	},
})
