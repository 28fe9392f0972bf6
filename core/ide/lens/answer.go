package lens

import (
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/text"
)

// InRange returns the lenses within a span of a file, with the last results. It leaves out commands
// that the client does not execute.
func InRange(f *ide.File, within text.Span) []ide.CodeLens {
	results := f.Host.Outcomes()
	all := []ide.CodeLens{}
	for placement, d := range lensCache.EachIn(f.Analysis, within, false) {
		for _, l := range d.lenses(placement, results) {
			l.Span = placement.ToFile(l.Span)
			known := l.Command == "" || f.Client.HasCommand == nil || f.Client.HasCommand(l.Command)
			if known && l.Span.Start >= within.Start && l.Span.Start <= within.End {
				all = append(all, l.answer(f))
			}
		}
	}
	return all
}

// answer converts a lens. Its range is on one line.
func (l Lens) answer(f *ide.File) ide.CodeLens {
	out := ide.CodeLens{Range: f.SpanRange(l.Span), Command: ide.Command{Title: l.Title, Command: l.Command}}
	out.Range.End = text.Position{Line: out.Range.Start.Line, Character: max(out.Range.Start.Character, out.Range.End.Character)}
	if l.Command != "" {
		out.Command.Arguments = []any{ide.CommandTarget{URI: f.URI, Case: l.CaseID}}
	}
	return out
}
