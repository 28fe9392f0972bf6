package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "unused-anchor",
	Summary:  "An anchor is never repeated by an alias",
	Severity: diag.Hint,
	Why: `
An anchor such as ~&shared~ marks a value for ~*shared~ to repeat. Without an alias it does nothing; perhaps the alias is
misspelt or went away.
`,
	Bad: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: ⟦&question⟧ Can I send the lamp back?
`,
	Good: `
evalcases:
  - id: refund
    expected_outcome: Explains the refund policy
    input: Can I send the lamp back?
`,
	Run: func(p *Pass) {
		used := map[*yaml.Node]bool{}
		p.eachNode(func(n *yaml.Node) {
			if n.Kind == yaml.Alias {
				used[n.Target] = true
			}
		})
		p.eachNode(func(n *yaml.Node) {
			if n.Anchor == "" || used[n] || p.HeaderAliases[n.Anchor] || n.Tagged {
				return
			}
			d := p.Report(n.Props, "nothing repeats the anchor `%s`", abbreviate(n.Anchor))
			d.Tags = []diag.Tag{diag.Unnecessary}
			if n.Span.Start > n.Props.End && p.Source.OffsetLine(n.Span.Start) == p.Source.OffsetLine(n.Props.Start) {
				d.Fixes = []diag.Fix{{Title: "remove the anchor", Safe: true, Edits: []text.Edit{{Span: text.Span{Start: n.Props.Start, End: n.Span.Start}}}}}
			}
		})
	},
})
