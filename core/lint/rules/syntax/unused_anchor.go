package syntax

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unused-anchor",
	Severity: diag.Hint,
	Run: func(p *lint.Pass) {
		used := map[*yaml.Node]bool{}
		p.EachNode(func(n *yaml.Node) {
			if n.Kind == yaml.Alias {
				used[n.Target] = true
			}
		})
		p.EachNode(func(n *yaml.Node) {
			if n.Anchor == "" || used[n] || p.HeaderAliases[n.Anchor] || n.Tagged {
				return
			}
			d := p.Report(n.Props, "no alias refers to the anchor `%s`", lint.Abbreviate(n.Anchor))
			d.Tags = []diag.Tag{diag.Unnecessary}
			if n.Span.Start > n.Props.End && p.Source.OffsetLine(n.Span.Start) == p.Source.OffsetLine(n.Props.Start) {
				d.Fixes = []diag.Fix{{Title: "remove the anchor", Safe: true, Edits: []text.Edit{{Span: text.Span{Start: n.Props.Start, End: n.Span.Start}}}}}
			}
		})
	},
})
