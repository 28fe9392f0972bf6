package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "empty-rubric",
	Summary:  "A rubric has no criteria",
	Severity: diag.Warning,
	Why: `
Without criteria the judge grades the expected outcome as a whole, as if there were no rubric. Drafting rubrics skips
the case too, because it has the key.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics: ⟦[]⟧
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - Greets the user by name
`,
	Run: func(p *Pass) {
		p.eachNode(func(n *yaml.Node) {
			if key := n.Key; key != nil && key.Key.Value == "rubrics" && n.Kind == yaml.Sequence && len(n.Items) == 0 && !n.Recovered {
				p.Report(n.Span, "this rubric has no criteria; the judge grades `expected_outcome` as a whole")
			}
		})
	},
})
