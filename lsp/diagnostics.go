package lsp

import (
	"context"
	"fmt"
	"hash/fnv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	idediagnostic "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/text"
)

// maxGates is how many failed gates are shown per document.
const maxGates = idediagnostic.MaxDiagnostics / 2

// diagnosticsJSON returns the diagnostics of a document as a JSON list: lint findings, and gates
// that failed in the last run. IsEvalFile is also true for a document that cannot be analysed.
func (s *snapshot) diagnosticsJSON(d *document) (items []byte, isEvalFile bool) {
	items = []byte("[]")
	fault := s.session.guardPanic(string(d.URI), func() {
		if isEvalFile = d.isEvalFile(); isEvalFile {
			items = s.encodeDiagnostics(d)
		}
	})
	if fault != nil {
		return s.faultDiagnostics(d.URI, d.Analysis, fault), true
	}
	return items, isEvalFile
}

func (s *snapshot) encodeDiagnostics(d *document) []byte {
	nearby := d.focus.nearby()
	gates, more := s.failedGates(d, nearby)
	list, truncated := idediagnostic.List(s.file(d.URI, d.Analysis), nearby, s.duplicates[d.URI], len(gates), more)
	d.focus.truncated.Store(truncated)
	for _, g := range gates {
		list = append(list, g.toDiagnostic(s.client.spanRange(d.Analysis, g.span)))
	}
	return mustEncode(list)
}

// closedFileDiagnostics is diagnosticsJSON for a file that is not open.
func (s *snapshot) closedFileDiagnostics(u uri.URI) (items []byte, isEvalFile bool) {
	var a *analysis.Analysis
	items = []byte("[]")
	fault := s.session.guardPanic(string(u), func() {
		if a = s.session.closedFiles.analysis(s.session, u); a == nil || !a.Recognised() {
			return
		}
		list, _ := idediagnostic.List(s.file(u, a), text.Span{}, s.duplicates[u], 0, 0)
		items, isEvalFile = mustEncode(list), true
	})
	if fault != nil {
		return s.faultDiagnostics(u, a, fault), true
	}
	return items, isEvalFile
}

// faultDiagnostics returns the diagnostic of a file that cannot be analysed. A may be nil.
func (s *snapshot) faultDiagnostics(u uri.URI, a *analysis.Analysis, fault *diag.Panic) []byte {
	finding := fault.Diagnostic(text.Span{})
	f, rng := s.file(u, a), text.Range{}
	if a != nil {
		rng = idediagnostic.FirstLine(f)
	}
	return mustEncode([]ide.Finding{idediagnostic.New(f, finding, rng)})
}

// Diagnostics reach these functions as JSON. The protocol's types would encode them again for each
// message.

// encodePublish encodes the parameters of publishDiagnostics. Version may be nil.
func encodePublish(u uri.URI, version *int32, items []byte) jsonrpc2.RawMessage {
	out := fmt.Appendf(make([]byte, 0, len(items)+len(u)+50), `{"uri":%s`, mustEncode(protocol.String(u)))
	if version != nil {
		out = fmt.Appendf(out, `,"version":%d`, *version)
	}
	out = append(out, `,"diagnostics":`...)
	out = append(out, items...)
	return append(out, '}')
}

// Kinds of reports.
const (
	reportFull      = "full"
	reportUnchanged = "unchanged"
)

// encodeReport encodes a diagnostic report and returns its result id. The report says unchanged if
// previousID is the same.
func encodeReport(items []byte, previousID string) (report []byte, id string) {
	id = resultID(items)
	if id == previousID {
		return fmt.Appendf(nil, `{"kind":%q,"resultId":%q}`, reportUnchanged, id), id
	}
	out := fmt.Appendf(make([]byte, 0, len(items)+60), `{"kind":%q,"resultId":%q,"items":`, reportFull, id)
	out = append(out, items...)
	return append(out, '}'), id
}

// addFile adds the file's URI and version to a report. A closed file has no version.
func addFile(report []byte, u uri.URI, version *int32) []byte {
	out := fmt.Appendf(report[:len(report)-1], `,"uri":%s,"version":`, mustEncode(protocol.String(u)))
	if version == nil {
		return append(out, `null}`...)
	}
	return fmt.Appendf(out, `%d}`, *version)
}

// resultID hashes a list of diagnostics. The same list has the same id in every session.
func resultID(items []byte) string {
	sum := fnv.New64a()
	sum.Write(items)
	return fmt.Sprintf("%x-%x", len(items), sum.Sum64())
}

// offerDiagnostics offers pull diagnostics. A client that pulls gets no pushed diagnostics, because
// it would show both.
func offerDiagnostics(o *protocol.ServerCapabilities, c *client) {
	if c.pullsDiagnostics {
		o.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

// diagnostic returns the diagnostics of one document.
func diagnostic(_ context.Context, s *snapshot, p *protocol.DocumentDiagnosticParams) (jsonrpc2.RawMessage, error) {
	items := []byte("[]")
	if d := s.Documents[p.TextDocument.URI]; d != nil {
		items, _ = s.diagnosticsJSON(d)
	}
	previousID := ""
	if p.PreviousResultID != nil {
		previousID = *p.PreviousResultID
	}
	report, _ := encodeReport(items, previousID)
	return report, nil
}
