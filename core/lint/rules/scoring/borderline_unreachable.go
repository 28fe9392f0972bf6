package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(lint.Rule{
	ID:       "borderline-unreachable",
	Summary:  "A rubric can never be borderline although some criteria are optional",
	Severity: diag.Info,
	Why: `
A score from 0.6 up to, but not including, 0.8 is borderline. If no combination of weights lands there, the optional
criteria matter less than they seem to.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    ⟦rubrics⟧:
      - { id: by-name, expected_outcome: Greets the user by name, weight: 1, required: false }
      - { id: thanks, expected_outcome: Thanks the user, weight: 1, required: false }
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
			optional := 0
			for _, c := range g.Criteria {
				if !c.IsRequired() && c.MinScore == nil {
					optional++
				}
			}
			if optional == 0 || len(g.Criteria) < 2 || r.Witnesses[score.Borderline] != nil || r.Witnesses[score.Pass] == nil || r.Witnesses[score.Fail] == nil {
				return
			}
			d := p.Report(g.SelectionSpan, "this rubric passes or fails; no grades make it borderline")
			d.Notes = []diag.Note{witnessNote(g, "a pass", r.Witnesses[score.Pass]), witnessNote(g, "a fail", r.Witnesses[score.Fail])}
		})
	},
})
