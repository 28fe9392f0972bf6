package scoring

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

var _ = lint.Register(lint.Rule{
	ID:       "fail-unreachable",
	Summary:  "No grades can make a rubric fail",
	Severity: diag.Warning,
	Why: `
If the lowest score range starts at 6 or higher, even the worst answer is at least borderline. A rubric that cannot fail
tests nothing.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    ⟦rubrics⟧:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
          - { score_range: [6, 8], expected_outcome: Warm }
          - { score_range: [9, 10], expected_outcome: Very warm }
`,
	AlsoReports: []string{"ranges-gap"},
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
          - { score_range: [0, 8], expected_outcome: Not very warm }
          - { score_range: [9, 10], expected_outcome: Very warm }
`,
	Run: func(p *lint.Pass) {
		eachAttainable(p, func(g *rubric.Grader, r *attainable) {
			if r.Witnesses[score.Fail] != nil {
				return
			}
			d := p.Report(g.SelectionSpan, "no grades make this rubric fail")
			for _, verdict := range []score.Verdict{score.Borderline, score.Pass} {
				if grades := r.Witnesses[verdict]; grades != nil {
					d.Notes = []diag.Note{witnessNote(g, "even so", grades)}
					return
				}
			}
		})
	},
})
