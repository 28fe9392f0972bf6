package selection

import (
	"slices"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// At returns the enclosing ranges of an offset, innermost first.
func At(f *ide.File, offset int) *ide.SelectionRange {
	chunk := f.ChunkAt(offset)
	out := &ide.SelectionRange{Range: f.SpanRange(text.Span{End: f.Length()})}
	for _, span := range slices.Backward(Selections(chunk, chunk.FromFile(offset))) {
		out = &ide.SelectionRange{Range: f.SpanRange(chunk.ToFile(span)), Parent: out}
	}
	return out
}
