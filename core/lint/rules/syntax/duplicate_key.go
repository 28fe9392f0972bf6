package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "duplicate-key",
	Summary:  "A mapping has the same key twice",
	Severity: diag.Error,
	Why: `
The runner refuses a file in which a mapping has a key twice. Most other tools silently use the last one. Merge the two,
or rename one.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    ⟦expected_outcome⟧: Greets the user by name
    input: Hello
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user by name
    input: Hello
`,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.DuplicateKey) {
			d := p.ReportProblem(problem, "first written here")
			d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(problem.Note), "remove the first one")
		}
	},
})
