package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/spoken"
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
	l := d.spoken.Begin("")
	at.found(l, d.URI, d.Analysis, near, len(gates), more)
	for _, g := range gates {
		place := d.Range(g.at, at.client.encoding)
		l.Add(g.failed, place, true, func() []byte { return encoded(g.diagnostic(toRange(place))) })
	}
	return l.End()
}

// saidAside is what is told of a file that nobody has open.
func (at *Snapshot) saidAside(u uri.URI, a *analysis.Analysis) []byte {
	l := new(spoken.Last).Begin("")
	at.found(l, u, a, text.Span{}, 0, 0)
	return l.End()
}

// found adds what is wrong with a file: the worst, and what is near a place, beside
// some gates. What is left out, of gates too, is counted in the first line.
func (at *Snapshot) found(l *spoken.List, u uri.URI, a *analysis.Analysis, near text.Span, gates, moreGates int) {
	all, more := a.Worst(assist.MostTold-gates, near, at.elsewhere[u])
	if more+moreGates > 0 {
		l.Cut()
		first := a.Range(text.Span{End: a.Offset(text.Position{Character: farthest}, text.UTF8)}, at.client.encoding)
		l.Add(nil, first, false, func() []byte { return encoded(left(toRange(first), more, moreGates)) })
	}
	for _, f := range all {
		place, of := a.RangeOf(f, at.client.encoding), any(nil)
		if f.Alone() {
			of = f.Diagnostic
		}
		l.Add(of, place, len(f.Notes) == 0, func() []byte { return encoded(at.client.toDiagnostic(u, a, f, toRange(place))) })
	}
}

// encoded is a diagnostic as the client's JSON.
func encoded(d protocol.Diagnostic) []byte {
	json, err := codec{}.Marshal(&d)
	if err != nil { // texts and numbers
		panic(err)
	}
	return json
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
