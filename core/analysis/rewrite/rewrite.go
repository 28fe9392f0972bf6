// Package rewrite applies edits to a file and compares the result with the original.
package rewrite

import (
	"errors"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// PlaceEdits translates edits of a chunk to edits of the file.
func PlaceEdits(p *analysis.Chunk, edits []text.Edit) []text.Edit {
	out := make([]text.Edit, len(edits))
	for i, e := range edits {
		out[i] = text.Edit{Span: p.ToFile(e.Span), New: e.New}
	}
	return out
}

// ApplyEdits returns the file after simultaneous edits.
func ApplyEdits(a *analysis.Analysis, edits []text.Edit) *analysis.Analysis {
	sorted := slices.Clone(edits)
	generic.SortStable(sorted, func(x, y text.Edit) int { return x.Span.Start - y.Span.Start })
	slices.Reverse(sorted) // from the end, so that no edit moves the next
	return a.Edit(sorted...)
}

var errOutsideCase = errors.New("the change would affect more than this case")

// TryEdits returns the file and chunk after edits of the chunk. It returns an error if the edits
// overlap or reach beyond the chunk.
func TryEdits(a *analysis.Analysis, p *analysis.Chunk, edits []text.Edit) (*analysis.Analysis, *analysis.Chunk, error) {
	body, err := text.Apply(p.Source.Body, edits)
	if err != nil {
		return nil, nil, err
	}
	next := ApplyEdits(a, PlaceEdits(p, edits))
	q := next.ChunkAt(p.ToFile(text.Span{}).Start)
	if q.Source.Body != body {
		return nil, nil, errOutsideCase
	}
	return next, q, nil
}

// SameComments reports whether two trees have the same comments.
func SameComments(a, b *yaml.Tree) bool {
	return slices.EqualFunc(a.Comments, b.Comments, func(x, y yaml.Comment) bool { return x.Text == y.Text })
}

// SameValues reports whether two trees have the same comments and values, and b has no more problems
// than a.
func SameValues(a, b *yaml.Tree) bool { return SameComments(a, b) && SameContent(a, b) }

// SameContent is sameValues without comments.
func SameContent(a, b *yaml.Tree) bool {
	if len(b.Problems) > len(a.Problems) {
		return false
	}
	return slices.EqualFunc(a.Docs, b.Docs, func(x, y *yaml.Document) bool {
		return yaml.EncodeJSON(x.Root, "") == yaml.EncodeJSON(y.Root, "")
	})
}
