package lsp

import (
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/text"
)

// looked is where in a document somebody last typed or looked, of all versions of
// it: what is found there is shown, however much there is elsewhere.
type looked struct{ at atomic.Pointer[text.Span] }

// around is how many bytes before and behind a place are near it: more than a
// screen has.
const around = 16 << 10

// near is what is near that place.
func (k *looked) near() text.Span {
	if at := k.at.Load(); at != nil {
		return text.Span{Start: at.Start - around, End: at.End + around}
	}
	return text.Span{End: around}
}

// attend notes that somebody looks at a place of a document. Where not everything is
// told of that, what is found there is told now.
func (s *session) attend(d *Document, place text.Span) {
	if !d.looked.look(place) || !d.spoken.WasCut() {
		return
	}
	s.retell(d.URI)
	s.askAgain()
}

// look notes a place, and reports whether it is away from the one before.
func (k *looked) look(at text.Span) (away bool) {
	at.End = min(at.End, at.Start+around) // who asks about the whole file looks nowhere
	near := k.near()
	k.at.Store(&at)
	return at.Start < near.Start || at.End > near.End
}
