package syntax

import (
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "extra-document",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.Role == "cases" {
			return // in JSONL every line is a document
		}
		for _, doc := range p.Tree.Docs[1:] {
			at := doc.Root.Span
			if len(doc.Root.Pairs) > 0 {
				at = doc.Root.Pairs[0].Key.Span
			}
			d := p.Report(at, "a second document starts here; only the first is read")
			d.Fixes = joinDocument(p, doc)
		}
	},
})

// joinDocument is the fix that removes the marker before a document: the marker alone if the document
// is empty, and the key too if the list below continues the one before.
func joinDocument(p *lint.Pass, doc *yaml.Document) []diag.Fix {
	removed := text.Span{Start: doc.Span.Start, End: doc.Root.Span.Start}
	pairs, earlier := doc.Root.Pairs, p.Tree.Root().Pairs
	switch {
	case !doc.ExplicitStart:
		return nil
	case doc.Root.Span.Empty():
		removed.End = removed.Start + len("---")
	case len(pairs) != 1 || len(earlier) == 0 || doc != p.Tree.Docs[1] || !continues(p.Source, earlier[len(earlier)-1], pairs[0]):
		return nil
	default:
		list := pairs[0].Value
		removed.End = p.Source.LineSpan(p.Source.OffsetLine(list.Span.Start)).Start
	}
	if strings.Contains(p.Source.Slice(removed), "#") { // a comment
		return nil
	}
	return []diag.Fix{{Title: "remove the marker between the documents", Edits: []text.Edit{{Span: removed}}}}
}

// continues reports whether two entries are block lists under one key whose items are equally indented.
func continues(src *text.Source, first, second *yaml.Pair) bool {
	column := func(n *yaml.Node) int { return n.Span.Start - src.LineSpan(src.OffsetLine(n.Span.Start)).Start }
	a, b := first.Value, second.Value
	isList := func(n *yaml.Node) bool { return n.Kind == yaml.Sequence && n.Style == yaml.Block && n.Props.Empty() }
	return first.Key.Value == second.Key.Value && isList(a) && isList(b) && column(a) == column(b)
}
