package lsp

import (
	"strings"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// document is one version of an open text. It is immutable. The analysis is computed on first use,
// so a burst of edits analyses only the versions that something reads.
type document struct {
	URI     uri.URI
	Version int32
	*analysis.Analysis

	deps *dependencies
	// recognised is set once any version since didOpen was an eval file; a half-typed version may
	// not be recognisable.
	recognised *atomic.Bool
	focus      *focus
	evaluation *atomic.Pointer[evaluation] // of this version, as last requested
}

// newDocument returns a document that was just opened, or whose dependencies changed.
func newDocument(u uri.URI, version int32, body string, deps *dependencies) *document {
	return &document{URI: u, Version: version, Analysis: deps.analyse(body), deps: deps, recognised: new(atomic.Bool), focus: new(focus), evaluation: new(atomic.Pointer[evaluation])}
}

// applyChanges returns the next version. Each change counts from the one before. It clones the
// decoded strings, which otherwise keep the whole message in memory.
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

// isEvalFile reports whether the server handles the document. Editors also open YAML that has
// nothing to do with evals.
func (d *document) isEvalFile() bool {
	if !d.recognised.Load() && d.Recognised() {
		d.recognised.Store(true)
	}
	return d.recognised.Load()
}

// body returns the document's text.
func (d *document) body() string { return d.Slice(text.Span{End: d.Length()}) }
