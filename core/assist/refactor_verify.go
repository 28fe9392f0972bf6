package assist

import (
	"errors"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// placeEdits are a part's edits as those of its file.
func placeEdits(p *analysis.Chunk, edits []text.Edit) []text.Edit {
	out := make([]text.Edit, len(edits))
	for i, e := range edits {
		out[i] = text.Edit{Span: p.ToFile(e.Span), New: e.New}
	}
	return out
}

// applyEdits is a file after edits that are made at once.
func applyEdits(a *analysis.Analysis, edits []text.Edit) *analysis.Analysis {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(x, y text.Edit) int { return x.Span.Start - y.Span.Start })
	slices.Reverse(sorted) // from the end on, so that none moves the next
	return a.Edit(sorted...)
}

var errOutsideCase = errors.New("the change would reach beyond the case that it is for")

// tryEdits is what becomes of a file and of a part by edits of the part. An error
// says that the edits overlap, or that they change more than the part.
func tryEdits(a *analysis.Analysis, p *analysis.Chunk, edits []text.Edit) (*analysis.Analysis, *analysis.Chunk, error) {
	body, err := text.Apply(p.Source.Body, edits)
	if err != nil {
		return nil, nil, err
	}
	next := applyEdits(a, placeEdits(p, edits))
	q := next.ChunkAt(p.ToFile(text.Span{}).Start)
	if q.Source.Body != body {
		return nil, nil, errOutsideCase
	}
	return next, q, nil
}

// sameComments reports whether two texts have the same comments.
func sameComments(a, b *yaml.Tree) bool {
	return slices.EqualFunc(a.Comments, b.Comments, func(x, y yaml.Comment) bool { return x.Text == y.Text })
}

// sameValues reports whether two texts have the same comments, say the same, and
// the second is no more broken than the first.
func sameValues(a, b *yaml.Tree) bool { return sameComments(a, b) && sameContent(a, b) }

// sameContent is sameValues but for the comments.
func sameContent(a, b *yaml.Tree) bool {
	if len(b.Problems) > len(a.Problems) {
		return false
	}
	return slices.EqualFunc(a.Docs, b.Docs, func(x, y *yaml.Document) bool {
		return yaml.EncodeJSON(x.Root, "") == yaml.EncodeJSON(y.Root, "")
	})
}
