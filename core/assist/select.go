package assist

import (
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/analysis"
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
			g.add(wordAt(p.Source.Body, offset, c.Span, isWordRune))
			g.add(c.Span)
			g.add(whole)
			return g.spans
		}
	}
	n := p.Tree.NodeAt(offset)
	if n.Kind == yaml.Scalar || n.Kind == yaml.Alias {
		g.add(wordAt(p.Source.Body, offset, n.Span, isWordRune))
		g.add(unquotedSpan(n))
	}
	for ; n != nil; n = n.Parent {
		g.add(n.Span)
		g.add(fullSpan(n))
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

// fullSpan returns the span of a node with its anchor and tag.
func fullSpan(n *yaml.Node) text.Span {
	if n.Props.Empty() {
		return n.Span
	}
	return n.Props.Cover(n.Span)
}

func unquotedSpan(n *yaml.Node) text.Span {
	if quoted := n.Style == yaml.SingleQuoted || n.Style == yaml.DoubleQuoted; quoted && n.Span.Len() >= 2 {
		return text.Span{Start: n.Span.Start + 1, End: n.Span.End - 1}
	}
	return n.Span
}

// wordAt returns the word around an offset within a span; it may be empty.
func wordAt(body string, offset int, within text.Span, isWordRune func(rune) bool) text.Span {
	before, after := body[min(within.Start, offset):offset], body[offset:max(within.End, offset)]
	return text.Span{
		Start: offset - len(before) + len(strings.TrimRightFunc(before, isWordRune)),
		End:   offset + len(after) - len(strings.TrimLeftFunc(after, isWordRune)),
	}
}

func isWordRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}
