package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-alias",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.UnknownAlias, "", func(problem yaml.Problem) []diag.Fix {
			written := p.Source.Slice(problem.Span)
			known := slices.Collect(maps.Keys(p.Tree.AnchorsBefore(problem.Span.Start)))
			if p.Header != nil {
				known = slices.AppendSeq(known, maps.Keys(p.Header.AnchorsBefore(text.HeaderBase+len(p.Header.Source.Body))))
			}
			slices.Sort(known)
			name := spell.Nearest(strings.TrimPrefix(written, "*"), known)
			if name == "" {
				return nil
			}
			return []diag.Fix{{Title: "change to `*" + name + "`", Edits: []text.Edit{{Span: problem.Span, New: "*" + name}}}}
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "alias-cycle",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.AliasCycle, "the anchor is here", func(problem yaml.Problem) []diag.Fix {
			n := p.NodeAt(problem.Span)
			return append(fix.RemoveEntry(p.Source, n, "remove the alias"), fix.RemoveItem(p.Source, n, "remove the alias")...)
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "bad-merge",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		p.ReportProblems(yaml.BadMerge, "", func(problem yaml.Problem) []diag.Fix {
			return fix.RemoveEntry(p.Source, p.NodeAt(problem.Span), "remove the merge key")
		})
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "merge-key",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachNode(func(n *yaml.Node) {
			if n.Key == nil || !n.IsMap() && !n.IsSeq() {
				return
			}
			if k := n.Key.Key; k.Kind == yaml.Scalar && k.Value == "<<" && k.Style == yaml.Plain && p.Suite.Dialect == agentv.Name && p.Role != string(agentv.Settings) {
				p.Report(k.Span, "this merge key has no effect in AgentV, which does not see the merged keys")
			}
		})
	},
})

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
