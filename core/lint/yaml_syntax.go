package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = add(Rule{
	ID:       "yaml-syntax",
	Summary:  "The text is not YAML here",
	Severity: diag.Error,
	Why: `
The runner refuses a file that is not YAML, with all its cases. Here only the lines that cannot be
read are left out, so everything else is still checked.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: ⟦"Greets the user⟧
    input: Hello
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: "Greets the user"
    input: Hello
`,
	Run: func(p *Pass) { p.problems(yaml.SyntaxProblem, "it starts here") },
})
