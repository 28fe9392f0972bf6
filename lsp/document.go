package lsp

import (
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// Document is one version of a text that a client has open. It never changes;
// its analysis is made when it is first asked for, so that of a burst of edits
// only what somebody looks at is analysed.
type Document struct {
	URI     uri.URI
	Version int32

	body string
	made func() *made
	// known is the analysis of this text or, until that is made, of an earlier
	// version, to start from.
	known atomic.Pointer[made]
	// ours is set once any version since the document was opened said of itself
	// that it is a file of ours; half-typed ones may not.
	ours *atomic.Bool
}

// made is an analysis and what it was told of the files beside its own.
type made struct {
	analysis *analysis.Analysis
	beside   *beside
}

// open is a document that was just opened; look looks beside it.
func open(u uri.URI, version int32, body string, look func(body string) *beside) *Document {
	d := &Document{URI: u, Version: version, body: body, ours: new(atomic.Bool)}
	d.made = sync.OnceValue(func() *made {
		m := d.known.Load()
		if m == nil {
			b := look(body)
			m = &made{analysis.Of(b.input), b}
		} else if m.analysis.Source().Body != body {
			in := m.beside.input
			in.Text = body
			m = &made{analysis.Of(in), m.beside}
		}
		if m.analysis.Recognised() {
			d.ours.Store(true)
		}
		d.known.Store(m)
		return m
	})
	return d
}

// Analysis is everything known about the text. Many may ask at once.
func (d *Document) Analysis() *analysis.Analysis { return d.made().analysis }

// Ours reports whether the text is for us to say anything about: editors also
// open YAML that has nothing to do with evals.
func (d *Document) Ours() bool {
	d.made()
	return d.ours.Load()
}

// next is the document's next version.
func (d *Document) next(version int32, body string, look func(body string) *beside) *Document {
	n := open(d.URI, version, body, look)
	n.ours = d.ours
	n.known.Store(d.known.Load())
	return n
}

// edited is the text after changes, each of which counts from the one before.
func (d *Document) edited(changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) string {
	body, src := d.body, d.source()
	for _, c := range changes {
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangePartial:
			if src == nil {
				src = text.New("", body)
			}
			span := src.RangeSpan(fromRange(c.Range), enc)
			body = body[:span.Start] + c.Text + body[span.End:]
		case *protocol.TextDocumentContentChangeWholeDocument:
			body = c.Text
		}
		src = nil
	}
	return body
}

// source is the line index of the text if there is one already.
func (d *Document) source() *text.Source {
	if m := d.known.Load(); m != nil && m.analysis.Source().Body == d.body {
		return m.analysis.Source()
	}
	return nil
}
