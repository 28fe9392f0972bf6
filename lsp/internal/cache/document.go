package cache

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// A Document is one version of an open text. It is immutable. The analysis is computed on first use,
// so a burst of edits analyses only the versions that something reads.
type Document struct {
	URI     uri.URI
	Version int32
	*analysis.Analysis

	deps *dependencies
	// recognised is set once any version since didOpen was an eval file; a half-typed version may
	// not be recognisable.
	recognised *atomic.Bool
	focus      *focus
	evaluation *atomic.Pointer[Evaluation] // of this version, as last requested
}

// newDocument returns a document that was just opened, or whose dependencies changed.
func newDocument(u uri.URI, version int32, body string, deps *dependencies) *Document {
	return &Document{URI: u, Version: version, Analysis: deps.analyse(body), deps: deps, recognised: new(atomic.Bool), focus: new(focus), evaluation: new(atomic.Pointer[Evaluation])}
}

// applyChanges returns the next version. Each change counts from the one before. It clones the
// decoded strings, which otherwise keep the whole message in memory.
func (d *Document) applyChanges(version int32, changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) *Document {
	next := *d
	next.Version, next.evaluation = version, new(atomic.Pointer[Evaluation])
	for _, c := range changes {
		var e text.Edit
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangePartial:
			changed := text.Range{Start: fromPosition(c.Range.Start), End: fromPosition(c.Range.End)}
			e.Span, e.New = next.Span(changed, enc), strings.Clone(c.Text)
			next.focus.moveTo(e.Span)
		case *protocol.TextDocumentContentChangeWholeDocument:
			e.Span, e.New = next.Source().Whole(), strings.Clone(c.Text)
		}
		next.Analysis = next.Analysis.Edit(e)
	}
	return &next
}

// IsEvalFile reports whether the server handles the document. Editors also open YAML that has
// nothing to do with evals.
func (d *Document) IsEvalFile() bool {
	if !d.recognised.Load() && d.Recognised() {
		d.recognised.Store(true)
	}
	return d.recognised.Load()
}

// ReadSibling reads a file that the document may refer to; false if there is none.
func (d *Document) ReadSibling(name string) (body string, found bool) {
	if d.deps.input.ReadFile == nil {
		return "", false
	}
	return d.deps.input.ReadFile(name)
}

// focus is where the user last typed or looked in a document, across its versions. Diagnostics near
// it are shown even if the document has too many.
type focus struct {
	span      atomic.Pointer[text.Span]
	truncated atomic.Bool // the last list of diagnostics lacked some
}

// focusRadius is how many bytes around the focus count as near: more than a screen.
const focusRadius = 16 << 10

// nearby returns the span near the focus.
func (f *focus) nearby() text.Span {
	if span := f.span.Load(); span != nil {
		return text.Span{Start: span.Start - focusRadius, End: span.End + focusRadius}
	}
	return text.Span{End: focusRadius}
}

// moveTo moves the focus and reports whether it left the nearby span.
func (f *focus) moveTo(span text.Span) (moved bool) {
	span.End = min(span.End, span.Start+focusRadius) // a request for the whole file counts as its start
	near := f.nearby()
	f.span.Store(&span)
	return span.Start < near.Start || span.End > near.End
}

const maxColumn = 1<<31 - 1

// fromPosition converts a client's position. It clamps lines and columns that do not fit an int32;
// these lie past every line's end anyway.
func fromPosition(p protocol.Position) text.Position {
	return text.Position{Line: int(min(p.Line, maxColumn)), Character: int(min(p.Character, maxColumn))}
}

// Tokens holds the last semantic tokens of each document, so that the next response can be a
// delta. The zero value is ready to use.
type Tokens struct {
	last   sync.Map // *protocol.SemanticTokens by URI
	lastID atomic.Int64
}

// Put stores tokens under a new result id and returns them with the previous ones.
func (tc *Tokens) Put(u uri.URI, data []uint32) (current, previous *protocol.SemanticTokens) {
	current = &protocol.SemanticTokens{ResultID: new(strconv.FormatInt(tc.lastID.Add(1), 10)), Data: data}
	replaced, _ := tc.last.Swap(u, current)
	previous, _ = replaced.(*protocol.SemanticTokens)
	return current, previous
}
