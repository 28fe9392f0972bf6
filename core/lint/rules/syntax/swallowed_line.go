package syntax

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entryLine matches a line that looks like a list item or a mapping entry.
var entryLine = pattern.New(`^(?:- \S|[A-Za-z_][\w-]*:(?: |$))`)

var _ = lint.Register(pages, lint.Rule{
	ID:       "swallowed-line",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		p.EachNode(func(n *yaml.Node) {
			if n.Kind != yaml.Scalar || n.Style != yaml.Plain || !strings.Contains(p.Source.Slice(n.Span), "\n") {
				return
			}
			for line := p.Source.OffsetLine(n.Span.Start) + 1; line < p.Source.Lines(); line++ {
				at := p.Source.LineSpan(line)
				if at.Start >= n.Span.End {
					return
				}
				words := strings.TrimLeft(p.Source.Slice(at), " \t")
				if !entryLine().MatchString(words) {
					continue
				}
				start := at.End - len(words)
				d := p.Report(text.Span{Start: start, End: start + len(strings.TrimRight(words, " \t"))}, "this line is part of the text before it; indent it less to make it a separate item or key")
				d.Fixes = indentLess(p, n, text.Span{Start: at.Start, End: start}, words)
			}
		})
	},
})

// indentLess is the fix that aligns a line in the text n, whose indentation and words are given, with
// the items or keys of the nearest collection around n. There is none if that already has the key.
func indentLess(p *lint.Pass, n *yaml.Node, indentation text.Span, words string) []diag.Fix {
	kind := yaml.Mapping
	if strings.HasPrefix(words, "- ") {
		kind = yaml.Sequence
	}
	around := n.Parent
	for around != nil && (around.Kind != kind || around.Style != yaml.Block) {
		around = around.Parent
	}
	key, _, _ := strings.Cut(words, ":")
	if around == nil || around.Pair(key) != nil {
		return nil
	}
	column := around.Span.Start - p.Source.LineSpan(p.Source.OffsetLine(around.Span.Start)).Start
	if column >= indentation.Len() {
		return nil
	}
	return []diag.Fix{{Title: "indent it less", Edits: []text.Edit{{Span: indentation, New: strings.Repeat(" ", column)}}}}
}
