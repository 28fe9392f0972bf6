package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
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
      again: ⟦*loop⟧
`,
	Good: `
evalcases:
  - id: loop
    expected_outcome: Ends
    input: Hello
    note:
      again: never
`,
	Run: func(p *lint.Pass) { p.ReportProblems(yaml.AliasCycle, "the anchor is here") },
})
