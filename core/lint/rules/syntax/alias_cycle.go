package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "alias-cycle",
	Summary:  "An anchor holds an alias to itself",
	Severity: diag.Error,
	Why: `
The value would never end, so the runner refuses the whole file.
`,
	Bad: `
evalcases:
  - id: loop
    expected_outcome: Ends
    input: Hello
    note: &loop
      once: yes, once
      again: ⟦*loop⟧
`,
	Good: `
evalcases:
  - id: loop
    expected_outcome: Ends
    input: Hello
    note:
      once: yes, once
      again: never
`,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.AliasCycle) {
			d := p.ReportProblem(problem, "the anchor is here")
			n := p.NodeAt(problem.Span)
			d.Fixes = append(fix.RemoveEntry(p.Source, n, "remove the alias"), fix.RemoveItem(p.Source, n, "remove the alias")...)
		}
	},
})
