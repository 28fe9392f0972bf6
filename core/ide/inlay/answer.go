package inlay

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the hints within a span of a file, with the last results.
func InRange(f *ide.File, within text.Span) []ide.InlayHint {
	if f.Host.Shown != nil {
		f.Host.Shown(within) // editors ask for the range that they show
	}
	all, results := []ide.InlayHint{}, f.Host.Outcomes()
	f.ChunksIn(within, func(chunk *analysis.Chunk) bool {
		for _, h := range Hints(chunk, results) {
			at := chunk.ToFile(text.Span{Start: h.Offset, End: h.Offset})
			if at.Start < within.Start || at.Start > within.End || h.IsGrade && f.Client.ShowsResults {
				continue
			}
			hint := ide.InlayHint{Position: f.SpanRange(at).Start, Label: h.Label, PaddingLeft: true}
			if h.Tooltip != "" {
				hint.Tooltip = f.Client.Markup(h.Tooltip)
			}
			all = append(all, hint)
		}
		return true
	})
	return all
}

// Hints returns the inlay hints of a chunk in text order: defaults, shares and grades of its
// criteria.
func Hints(p *analysis.Chunk, results ide.Results) []Hint {
	hints := adkHints(p, results)
	seen := map[Hint]bool{} // criteria that cases share are visited repeatedly
	facts.VisitCriteria(p, func(cr facts.CriterionRef) {
		for _, h := range criterionHints(cr, p, results) {
			if !seen[h] {
				seen[h] = true
				hints = append(hints, h)
			}
		}
	})
	text.SortStable(hints, func(a, b Hint) int { return cmp.Compare(a.Offset, b.Offset) })
	return hints
}
