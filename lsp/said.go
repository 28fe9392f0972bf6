package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// mostGates is how many gates that failed a client is told, of all that it is.
const mostGates = assist.MostTold / 2

// said is everything that is told of a document, as a list in JSON: what is wrong
// with it, and which gates failed when it was last run.
func (at *Snapshot) said(d *Document) []byte {
	if !d.Ours() {
		return []byte("[]")
	}
	near := d.looked.near()
	gates, more := at.failedGates(d, near)
	l := d.spoken.begin()
	at.found(l, d.URI, d.Analysis, near, len(gates), more)
	for _, g := range gates {
		place := at.client.toRange(d.Analysis, g.at)
		l.add(g.failed, place, func() protocol.Diagnostic { return g.diagnostic(place) })
	}
	return l.end()
}

// saidAside is what is told of a file that nobody has open.
func (at *Snapshot) saidAside(u uri.URI, a *analysis.Analysis) []byte {
	l := new(spoken).begin()
	at.found(l, u, a, text.Span{}, 0, 0)
	return l.end()
}

// found adds what is wrong with a file: the worst, and what is near a place, beside
// some gates. What is left out, of gates too, is counted in the first line.
func (at *Snapshot) found(l *speech, u uri.URI, a *analysis.Analysis, near text.Span, gates, moreGates int) {
	all, more := a.Worst(assist.MostTold-gates, near, at.elsewhere[u])
	if more+moreGates > 0 {
		l.cut = true
		first := at.client.toRange(a, text.Span{End: a.Offset(text.Position{Character: farthest}, text.UTF8)})
		l.add(nil, first, func() protocol.Diagnostic { return left(first, more, moreGates) })
	}
	for _, f := range all {
		place, of := at.client.toRange(a, f.At()), any(nil)
		if f.Alone() {
			of = f.Diagnostic
		}
		l.add(of, place, func() protocol.Diagnostic { return at.client.toDiagnostic(u, a, f, place) })
	}
}

// within is what is wrong in or at some place of a document.
func (at *Snapshot) within(d *Document, place text.Span) []analysis.Finding {
	return d.Within(place, at.elsewhere[d.URI])
}

// left says how many findings and gates are not shown.
func left(first protocol.Range, findings, gates int) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: first, Severity: protocol.DiagnosticSeverityInformation, Code: protocol.String(assist.NotAllShown),
		Source: protocol.NewOptional(sourceName), Message: protocol.String(assist.LeftOut(findings, gates)),
	}
}
