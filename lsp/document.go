package lsp

import (
	"strings"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diagjson"
	"github.com/rubric-ls/rubric/core/text"
)

// document is one version of a text that a client has open. It never changes.
// Its analysis is made when it is first asked something, so that of a burst of
// edits only what somebody looks at is analysed.
type document struct {
	URI     uri.URI
	Version int32
	*analysis.Analysis

	deps *dependencies
	// recognised is set once any version since the document was opened said of itself
	// that it is a file of ours; half-typed ones may not.
	recognised      *atomic.Bool
	focus           *focus
	evaluation      *atomic.Pointer[evaluation] // of this version, when it was last asked for
	diagnosticCache *diagjson.Cache
}

// newDocument is a document that was just opened, or whose surroundings have changed.
func newDocument(u uri.URI, version int32, body string, deps *dependencies) *document {
	return &document{URI: u, Version: version, Analysis: deps.analyse(body), deps: deps, recognised: new(atomic.Bool), focus: new(focus), diagnosticCache: new(diagjson.Cache), evaluation: new(atomic.Pointer[evaluation])}
}

// applyChanges is the document's next version; each change counts from the one before.
// Decoded words are parts of the whole message, which is not to be kept.
func (d *document) applyChanges(version int32, changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) *document {
	next := *d
	next.Version, next.evaluation = version, new(atomic.Pointer[evaluation])
	for _, c := range changes {
		e := text.Edit{Span: text.Span{End: next.Length()}}
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangePartial:
			e.Span, e.New = next.Span(fromRange(c.Range), enc), strings.Clone(c.Text)
			next.focus.moveTo(e.Span)
		case *protocol.TextDocumentContentChangeWholeDocument:
			e.New = strings.Clone(c.Text)
		}
		next.Analysis = next.Edit(e)
	}
	return &next
}

// isEvalFile reports whether the text is for us to say anything about: editors also
// open YAML that has nothing to do with evals.
func (d *document) isEvalFile() bool {
	if !d.recognised.Load() && d.Recognised() {
		d.recognised.Store(true)
	}
	return d.recognised.Load()
}

// body is the document's text.
func (d *document) body() string { return d.Slice(text.Span{End: d.Length()}) }
