package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spoken"
	"github.com/rubric-ls/rubric/core/text"
)

// mostGates is how many gates that failed a client is told, of all that it is.
const mostGates = assist.MostTold / 2

// said is everything that is told of a document, as a list in JSON: what is wrong
// with it, and which gates failed when it was last run. Ours says whether the document
// is for us to say anything about; one that cannot be analysed is.
func (at *Snapshot) said(d *Document) (list []byte, ours bool) {
	list = []byte("[]")
	fault := at.session.guarded(string(d.URI), func() {
		if ours = d.Ours(); ours {
			list = at.list(d)
		}
	})
	if fault != nil {
		return at.faulty(d.URI, d.Analysis, fault), true
	}
	return list, ours
}

func (at *Snapshot) list(d *Document) []byte {
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

// saidAside is [Snapshot.said] of a file that is not open.
func (at *Snapshot) saidAside(u uri.URI) (list []byte, ours bool) {
	var a *analysis.Analysis
	list = []byte("[]")
	fault := at.session.guarded(string(u), func() {
		if a = at.session.shelf.analysis(at.session, u); a == nil || !a.Recognised() {
			return
		}
		l := new(spoken.Last).Begin("")
		at.found(l, u, a, text.Span{}, 0, 0)
		list, ours = l.End(), true
	})
	if fault != nil {
		return at.faulty(u, a, fault), true
	}
	return list, ours
}

// faulty is what is told of a file that cannot be analysed. A is nil if there is not
// even an analysis.
func (at *Snapshot) faulty(u uri.URI, a *analysis.Analysis, fault *diag.Fault) []byte {
	finding := fault.Finding(text.Span{})
	var place protocol.Range
	if a != nil {
		place = toRange(at.firstLine(a))
	}
	return slices.Concat([]byte("["), encoded(at.client.toDiagnostic(u, a, analysis.Finding{Diagnostic: &finding}, place)), []byte("]"))
}

func (at *Snapshot) firstLine(a *analysis.Analysis) text.Range {
	return a.Range(text.Span{End: a.Offset(text.Position{Character: farthest}, text.UTF8)}, at.client.encoding)
}

// found adds what is wrong with a file: the worst, and what is near a place, beside
// some gates. What is left out, of gates too, is counted in the first line.
func (at *Snapshot) found(l *spoken.List, u uri.URI, a *analysis.Analysis, near text.Span, gates, moreGates int) {
	all, more := a.Worst(assist.MostTold-gates, near, at.elsewhere[u])
	if more+moreGates > 0 {
		l.Cut()
		first := at.firstLine(a)
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
