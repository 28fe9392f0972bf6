package lsp

import (
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// focus is where in a document somebody last typed or looked, of all versions of
// it: what is found there is shown, however much there is elsewhere.
type focus struct{ span atomic.Pointer[text.Span] }

// focusRadius is how many bytes before and behind a place are near it: more than a
// screen has.
const focusRadius = 16 << 10

// nearby is what is near that place.
func (f *focus) nearby() text.Span {
	if snap := f.span.Load(); snap != nil {
		return text.Span{Start: snap.Start - focusRadius, End: snap.End + focusRadius}
	}
	return text.Span{End: focusRadius}
}

// setFocus notes that somebody looks at a place of a document. Where not everything is
// told of that, what is found there is told now.
func (s *session) setFocus(d *document, span text.Span) {
	if !d.focus.moveTo(span) || !d.diagnosticCache.Truncated() {
		return
	}
	s.republish(d.URI)
	s.requestDiagnosticRefresh()
}

// moveTo notes a place, and reports whether it is away from the one before.
func (f *focus) moveTo(span text.Span) (moved bool) {
	span.End = min(span.End, span.Start+focusRadius) // who asks about the whole file looks nowhere
	near := f.nearby()
	f.span.Store(&span)
	return span.Start < near.Start || span.End > near.End
}
