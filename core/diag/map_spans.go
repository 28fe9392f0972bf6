package diag

import "github.com/rubric-ls/rubric/core/text"

// MapSpans is d with every span of its own text where to puts it. d keeps its own.
func (d Diagnostic) MapSpans(move func(text.Span) text.Span) Diagnostic {
	d.Span = move(d.Span)
	if d.Notes != nil {
		notes := make([]Note, len(d.Notes))
		for i, n := range d.Notes {
			if notes[i] = n; n.Source == nil {
				notes[i].Span = move(n.Span)
			}
		}
		d.Notes = notes
	}
	if d.Fixes == nil {
		return d
	}
	fixes := make([]Fix, len(d.Fixes))
	for i, f := range d.Fixes {
		edits := make([]text.Edit, len(f.Edits))
		for j, e := range f.Edits {
			edits[j] = text.Edit{Span: move(e.Span), New: e.New}
		}
		f.Edits = edits
		fixes[i] = f
	}
	d.Fixes = fixes
	return d
}
