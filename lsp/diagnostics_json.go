package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/diagjson"
	"github.com/rubric-ls/rubric/core/text"
)

// maxGates is how many gates that failed a client is told, of all that it is.
const maxGates = assist.MaxDiagnostics / 2

// diagnosticsJSON is everything that is told of a document, as a list in JSON: what is wrong
// with it, and which gates failed when it was last run. Ours says whether the document
// is for us to say anything about; one that cannot be analysed is.
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
	list := d.diagnosticCache.NewList("")
	s.addDiagnostics(list, d.URI, d.Analysis, nearby, len(gates), more)
	for _, g := range gates {
		rng := d.Range(g.span, s.client.encoding)
		list.Add(g.failedGate, rng, true, func() []byte { return encodeDiagnostic(g.toDiagnostic(toRange(rng))) })
	}
	return list.End()
}

// closedFileDiagnostics is [Snapshot.said] of a file that is not open.
func (s *snapshot) closedFileDiagnostics(u uri.URI) (items []byte, isEvalFile bool) {
	var a *analysis.Analysis
	items = []byte("[]")
	fault := s.session.guardPanic(string(u), func() {
		if a = s.session.closedFiles.analysis(s.session, u); a == nil || !a.Recognised() {
			return
		}
		diagnostics := new(diagjson.Cache).NewList("")
		s.addDiagnostics(diagnostics, u, a, text.Span{}, 0, 0)
		items, isEvalFile = diagnostics.End(), true
	})
	if fault != nil {
		return s.faultDiagnostics(u, a, fault), true
	}
	return items, isEvalFile
}

// faultDiagnostics is what is told of a file that cannot be analysed. A is nil if there is not
// even an analysis.
func (s *snapshot) faultDiagnostics(u uri.URI, a *analysis.Analysis, fault *diag.Panic) []byte {
	finding := fault.Diagnostic(text.Span{})
	var rng protocol.Range
	if a != nil {
		rng = toRange(s.firstLine(a))
	}
	return slices.Concat([]byte("["), encodeDiagnostic(s.client.toDiagnostic(u, a, analysis.Finding{Diagnostic: &finding}, rng)), []byte("]"))
}

func (s *snapshot) firstLine(a *analysis.Analysis) text.Range {
	return a.Range(text.Span{End: a.Offset(text.Position{Character: maxColumn}, text.UTF8)}, s.client.encoding)
}

// addDiagnostics adds what is wrong with a file: the worst, and what is near a place, beside
// some gates. What is left out, of gates too, is counted in the first line.
func (s *snapshot) addDiagnostics(list *diagjson.List, u uri.URI, a *analysis.Analysis, nearby text.Span, gates, moreGates int) {
	findings, more := a.TopFindings(assist.MaxDiagnostics-gates, nearby, s.duplicates[u])
	if more+moreGates > 0 {
		list.MarkTruncated()
		first := s.firstLine(a)
		list.Add(nil, first, false, func() []byte { return encodeDiagnostic(truncationNotice(toRange(first), more, moreGates)) })
	}
	for _, f := range findings {
		rng, key := a.RangeOf(f, s.client.encoding), any(nil)
		if f.IsLocal() {
			key = f.Diagnostic
		}
		list.Add(key, rng, len(f.Notes) == 0, func() []byte { return encodeDiagnostic(s.client.toDiagnostic(u, a, f, toRange(rng))) })
	}
}

// encodeDiagnostic is a diagnostic as the client's JSON.
func encodeDiagnostic(d protocol.Diagnostic) []byte {
	json, err := codec{}.Marshal(&d)
	if err != nil { // texts and numbers
		panic(err)
	}
	return json
}

// diagnosticsIn is what is wrong in or at some place of a document.
func (s *snapshot) diagnosticsIn(d *document, span text.Span) []analysis.Finding {
	return d.FindingsIn(span, s.duplicates[d.URI])
}

// truncationNotice says how many findings and gates are not shown.
func truncationNotice(firstLine protocol.Range, findings, gates int) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: firstLine, Severity: protocol.DiagnosticSeverityInformation, Code: protocol.String(assist.TruncatedCode),
		Source: protocol.NewOptional(diagnosticSource), Message: protocol.String(assist.TruncatedMessage(findings, gates)),
	}
}
