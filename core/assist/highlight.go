package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// HighlightKind is how a place has to do with the one that the cursor is on.
type HighlightKind uint8

// The kinds of highlights, numbered as in the protocol.
const (
	HighlightText  HighlightKind = iota + 1 // the same key or value
	HighlightRead                           // refers to what the cursor is on
	HighlightWrite                          // is what the others refer to
)

// Highlight is a place to show along with the one that the cursor is on.
type Highlight struct {
	Span text.Span // of the file
	Kind HighlightKind
}

// Highlights are the places of a file to show along with an offset: where the
// name is written that it is on; or else, in the same case, the same key, or the
// same value of the same key.
func Highlights(a *analysis.Analysis, offset int) (found []Highlight) {
	uses, _ := usesAt(a, offset, nil)
	for _, u := range uses {
		kind := HighlightRead
		if u.IsDeclaration {
			kind = HighlightWrite
		}
		found = append(found, Highlight{u.Location.Span, kind})
	}
	if len(found) > 0 {
		return found
	}
	p := a.ChunkAt(offset)
	for _, span := range similarSpans(p, p.FromFile(offset)) {
		found = append(found, Highlight{p.ToFile(span), HighlightText})
	}
	return found
}

// similarSpans are the keys or the values like the one that an offset is on.
func similarSpans(p *analysis.Chunk, offset int) (spans []text.Span) {
	n := p.Tree.NodeAt(offset)
	pair := pairOf(n)
	if n.Kind != yaml.Scalar || n.IsNull() || pair == nil || !n.Span.Touches(offset) {
		return nil
	}
	owner := schemaContextOf(p, n).Owner
	walkValues(p, func(v value) {
		switch {
		case v.pair == nil || v.pair.Key.Kind != yaml.Scalar || v.pair.Key.Value != pair.Key.Value || v.Owner != owner:
		case n == pair.Key:
			spans = append(spans, v.pair.Key.Span)
		case v.node.Kind == yaml.Scalar && v.node.Value == n.Value && v.node.Tag == n.Tag:
			spans = append(spans, v.node.Span)
		}
	})
	return spans
}
