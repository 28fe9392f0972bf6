package cache

import (
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	idediagnostic "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// maxGates is how many failed gates are shown per document.
const maxGates = idediagnostic.MaxDiagnostics / 2

// DiagnosticsJSON returns the diagnostics of a document as a JSON list: lint findings, and gates
// that failed in the last run. IsEvalFile is also true for a document that cannot be analysed.
func (s *Snapshot) DiagnosticsJSON(d *Document) (items []byte, isEvalFile bool) {
	items = []byte("[]")
	fault := s.shared.GuardPanic(string(d.URI), func() {
		if isEvalFile = d.IsEvalFile(); !isEvalFile {
			return
		}
		nearby := d.focus.nearby()
		gates, more := s.failedGates(d, nearby)
		list, truncated := idediagnostic.List(s.File(d.URI, d.Analysis), nearby, s.duplicates[d.URI], len(gates), more)
		d.focus.truncated.Store(truncated)
		for _, g := range gates {
			list = append(list, g.toDiagnostic(s.SpanRange(d, g.span)))
		}
		items = transport.Encode(list)
	})
	if fault != nil {
		return s.faultDiagnostics(d.URI, d.Analysis, fault), true
	}
	return items, isEvalFile
}

// ClosedFileDiagnostics is DiagnosticsJSON for a file that is not open.
func (s *Snapshot) ClosedFileDiagnostics(u uri.URI) (items []byte, isEvalFile bool) {
	var a *analysis.Analysis
	items = []byte("[]")
	fault := s.shared.GuardPanic(string(u), func() {
		if a = s.shared.closedAnalysis(u); a == nil || !a.Recognised() {
			return
		}
		list, _ := idediagnostic.List(s.File(u, a), text.Span{}, s.duplicates[u], 0, 0)
		items, isEvalFile = transport.Encode(list), true
	})
	if fault != nil {
		return s.faultDiagnostics(u, a, fault), true
	}
	return items, isEvalFile
}

// faultDiagnostics returns the diagnostic of a file that cannot be analysed. A may be nil.
func (s *Snapshot) faultDiagnostics(u uri.URI, a *analysis.Analysis, fault *diag.Panic) []byte {
	finding := fault.Diagnostic(text.Span{})
	f, rng := s.File(u, a), text.Range{}
	if a != nil {
		rng = idediagnostic.FirstLine(f)
	}
	return transport.Encode([]ide.Finding{idediagnostic.New(f, finding, rng)})
}

// Diagnostics reach these functions as JSON. The protocol's types would encode them again for each
// message.

// encodePublish encodes the parameters of publishDiagnostics. Version may be nil.
func encodePublish(u uri.URI, version *int32, items []byte) jsonrpc2.RawMessage {
	out := fmt.Appendf(make([]byte, 0, len(items)+len(u)+50), `{"uri":%s`, transport.Encode(protocol.String(u)))
	if version != nil {
		out = fmt.Appendf(out, `,"version":%d`, *version)
	}
	out = append(out, `,"diagnostics":`...)
	out = append(out, items...)
	return append(out, '}')
}
