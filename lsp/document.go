package lsp

import (
	"strings"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/spoken"
	"github.com/rubric-ls/rubric/core/text"
)

// Document is one version of a text that a client has open. It never changes.
// Its analysis is made when it is first asked something, so that of a burst of
// edits only what somebody looks at is analysed.
type Document struct {
	URI     uri.URI
	Version int32
	*analysis.Analysis

	beside *beside
	// ours is set once any version since the document was opened said of itself
	// that it is a file of ours; half-typed ones may not.
	ours   *atomic.Bool
	looked *looked
	trial  *atomic.Pointer[trial] // of this version, when it was last asked for
	spoken *spoken.Last
}

// open is a document that was just opened, or whose surroundings have changed.
func open(u uri.URI, version int32, body string, found *beside) *Document {
	return &Document{URI: u, Version: version, Analysis: found.of(body), beside: found, ours: new(atomic.Bool), looked: new(looked), spoken: new(spoken.Last), trial: new(atomic.Pointer[trial])}
}

// edited is the document's next version; each change counts from the one before.
// Decoded words are parts of the whole message, which is not to be kept.
func (d *Document) edited(version int32, changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) *Document {
	next := *d
	next.Version, next.trial = version, new(atomic.Pointer[trial])
	for _, c := range changes {
		e := text.Edit{Span: text.Span{End: next.Length()}}
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangePartial:
			e.Span, e.New = next.Span(fromRange(c.Range), enc), strings.Clone(c.Text)
			next.looked.look(e.Span)
		case *protocol.TextDocumentContentChangeWholeDocument:
			e.New = strings.Clone(c.Text)
		}
		next.Analysis = next.Edit(e)
	}
	return &next
}

// Ours reports whether the text is for us to say anything about: editors also
// open YAML that has nothing to do with evals.
func (d *Document) Ours() bool {
	if !d.ours.Load() && d.Recognised() {
		d.ours.Store(true)
	}
	return d.ours.Load()
}

// body is the document's text.
func (d *Document) body() string { return d.Slice(text.Span{End: d.Length()}) }
