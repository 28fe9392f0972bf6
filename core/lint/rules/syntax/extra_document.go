package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "extra-document",
	Summary:  "A file holds more than one YAML document",
	Severity: diag.Error,
	Why: `
A line of three dashes starts a new document. The runner refuses a file with more than one document.
`,
	Bad: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
---
⟦evalcases⟧: []
`,
	Good: `
evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
`,
	Run: func(p *lint.Pass) {
		if p.Role == "cases" {
			return // in JSONL every line is a document
		}
		for _, doc := range p.Tree.Docs[1:] {
			at := doc.Root.Span
			if len(doc.Root.Pairs) > 0 {
				at = doc.Root.Pairs[0].Key.Span
			}
			p.Report(at, "a second document starts here; only the first is read")
		}
	},
})
