// Package selection expands a selection from the word to the whole file.
package selection

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Selections returns the spans of an expanding selection at an offset: the word, the scalar, its
// quotes, the entry, the mapping and so on up to the whole chunk. Each contains the previous one and
// is larger.
func Selections(p *analysis.Chunk, offset int) []text.Span {
	whole := p.Source.Whole()
	offset = min(max(offset, 0), whole.End)
	g := selectionBuilder{offset: offset}
	for _, c := range p.Tree.Comments {
		if c.Span.Start < offset && offset <= c.Span.End {
			g.add(syntax.WordAt(p.Source.Body, offset, c.Span, syntax.IsWordRune))
			g.add(c.Span)
			g.add(whole)
			return g.spans
		}
	}
	n := p.Tree.NodeAt(offset)
	if n.Kind == yaml.Scalar || n.Kind == yaml.Alias {
		g.add(syntax.WordAt(p.Source.Body, offset, n.Span, syntax.IsWordRune))
		g.add(syntax.UnquotedSpan(n))
	}
	for ; n != nil; n = n.Parent {
		g.add(n.Span)
		g.add(n.FullSpan())
		if n.Key != nil {
			g.add(n.Key.Span())
		} else if n.Parent != nil && n.Parent.Kind == yaml.Mapping {
			g.add(n.Parent.Pairs[n.Index].Span())
		}
	}
	g.add(whole)
	return g.spans
}

type selectionBuilder struct {
	offset int
	spans  []text.Span
}

// add appends a span if it contains the offset and all previous spans.
func (b *selectionBuilder) add(span text.Span) {
	if !span.Touches(b.offset) || span.Empty() {
		return
	}
	if n := len(b.spans); n > 0 && (b.spans[n-1] == span || !span.Contains(b.spans[n-1])) {
		return
	}
	b.spans = append(b.spans, span)
}

// At returns the enclosing ranges of an offset, innermost first.
func At(f *ide.File, offset int) *ide.SelectionRange {
	chunk := f.ChunkAt(offset)
	out := &ide.SelectionRange{Range: f.SpanRange(text.Span{End: f.Length()})}
	for _, span := range slices.Backward(Selections(chunk, chunk.FromFile(offset))) {
		out = &ide.SelectionRange{Range: f.SpanRange(chunk.ToFile(span)), Parent: out}
	}
	return out
}
