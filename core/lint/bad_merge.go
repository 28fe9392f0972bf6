package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "bad-merge",
	Summary:  "A merge key has something other than a mapping",
	Severity: diag.Error,
	Why: `
A merge key, ~<<~, takes in the keys of a mapping or of a list of mappings. Anything else merges nothing.
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
	Run: func(p *Pass) { p.reportProblems(yaml.BadMerge, "") },
})
