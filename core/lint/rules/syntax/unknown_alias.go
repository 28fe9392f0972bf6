package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "unknown-alias",
	Summary:  "An alias names an anchor that does not exist",
	Severity: diag.Error,
	Why: `
An alias such as ~*shared~ repeats the value of the anchor ~&shared~ earlier in the same document. Without the anchor the
runner refuses the whole file.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: ⟦*question⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: &question Hello
  - id: greeting-again
    expected_outcome: Greets the user
    input: *question
`,
	Run: func(p *lint.Pass) { p.ReportProblems(yaml.UnknownAlias, "") },
})
