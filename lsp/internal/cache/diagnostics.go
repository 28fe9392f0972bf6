package cache

import (
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	idediagnostic "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/text"
)

// maxGates is how many failed gates are shown per document.
const maxGates = idediagnostic.MaxDiagnostics / 2

// Diagnostics returns the diagnostics of a document: lint findings, and gates that failed in the last
// run. IsEvalFile is also true for a document that cannot be analysed.
func (s *Snapshot) Diagnostics(d *Document) (list []ide.Finding, isEvalFile bool) {
	list = []ide.Finding{}
	fault := s.shared.GuardPanic(string(d.URI), func() {
		if isEvalFile = d.IsEvalFile(); !isEvalFile {
			return
		}
		nearby := d.focus.nearby()
		gates, more := s.failedGates(d, nearby)
		var truncated bool
		list, truncated = idediagnostic.List(s.File(d.URI, d.Analysis), nearby, s.duplicates[d.URI], len(gates), more)
		d.focus.truncated.Store(truncated)
		for _, g := range gates {
			list = append(list, g.toDiagnostic(s.SpanRange(d, g.span)))
		}
	})
	if fault != nil {
		return s.faultDiagnostics(d.URI, d.Analysis, fault), true
	}
	return list, isEvalFile
}

// ClosedFileDiagnostics is Diagnostics for a file that is not open.
func (s *Snapshot) ClosedFileDiagnostics(u uri.URI) (list []ide.Finding, isEvalFile bool) {
	var a *analysis.Analysis
	list = []ide.Finding{}
	fault := s.shared.GuardPanic(string(u), func() {
		if a = s.shared.closedAnalysis(u); a != nil && a.Recognised() {
			list, _ = idediagnostic.List(s.File(u, a), text.Span{}, s.duplicates[u], 0, 0)
			isEvalFile = true
		}
	})
	if fault != nil {
		return s.faultDiagnostics(u, a, fault), true
	}
	return list, isEvalFile
}

// faultDiagnostics returns the diagnostic of a file that cannot be analysed. A may be nil.
func (s *Snapshot) faultDiagnostics(u uri.URI, a *analysis.Analysis, fault *diag.Panic) []ide.Finding {
	finding := fault.Diagnostic(text.Span{})
	f, rng := s.File(u, a), text.Range{}
	if a != nil {
		rng = idediagnostic.FirstLine(f)
	}
	return []ide.Finding{idediagnostic.New(f, finding, rng)}
}
