package lsp

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// partsIn visits the parts of a stretch of a file, each once. What stands around
// the cases has no end of its own, and is left line by line.
func partsIn(a *analysis.Analysis, within text.Span, visit func(*analysis.Part)) {
	if within.Start == 0 && within.End >= a.Length() {
		a.Parts(func(p *analysis.Part) bool { visit(p); return true })
		return
	}
	seen := map[int]bool{}
	for offset := within.Start; offset < within.End; {
		p := a.At(offset)
		whole := p.Place(p.Source.Whole())
		if !seen[whole.Start] {
			seen[whole.Start] = true
			visit(p)
		}
		next := whole.End
		if whole.Len() != p.Source.Whole().Len() {
			next = a.Offset(text.Position{Line: a.Position(offset, text.UTF8).Line + 1}, text.UTF8)
		}
		if next <= offset { // the last line
			return
		}
		offset = next
	}
}
