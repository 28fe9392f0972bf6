package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(lint.Rule{
	ID:       "bad-merge",
	Summary:  "The value of a merge key is not a mapping",
	Severity: diag.Error,
	Why: `
A merge key, ~<<~, copies the keys of a mapping or of a list of mappings. Any other value adds no keys.
`,
	Bad: `
evalcases:
  - <<: ⟦hello⟧
    id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *lint.Pass) {
		for _, problem := range p.Tree.ProblemsOf(yaml.BadMerge) {
			d := p.ReportProblem(problem, "")
			d.Fixes = fix.RemoveEntry(p.Source, p.NodeAt(problem.Span), "remove the merge key")
		}
	},
})
