package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "odd-layout",
	Summary:  "The text is YAML to some readers and not to others",
	Severity: diag.Warning,
	Why: `
A key of no letters, a tab in the indentation, a line that is indented in a way that only some readers accept, or a
character that ends a line for YAML and not for an editor: it can be read here, and may be read otherwise elsewhere.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    note:
      ⟦: nobody⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *Pass) {
		for _, kind := range []yaml.ProblemKind{yaml.EmptyKey, yaml.TabProblem, yaml.IndentProblem, yaml.LineBreakProblem} {
			p.reportProblems(kind, "")
		}
	},
})
