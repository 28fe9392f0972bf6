package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/diag"
)

// fixAllKind is the kind of the action that mends all that can be mended
// safely, which editors may be told to take whenever a file is saved.
const fixAllKind = protocol.CodeActionKindSourceFixAll + ".rubric"

func offerActions(o *protocol.ServerCapabilities, c *client) {
	if !c.actionLiterals { // one this old may not be sent options
		o.CodeActionProvider = protocol.Boolean(true)
		return
	}
	o.CodeActionProvider = &protocol.CodeActionOptions{
		CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, generateKind, fixAllKind},
		ResolveProvider: &c.lazyEdits,
	}
}

// codeAction answers what can be done about the findings in a range.
func codeAction(_ context.Context, at *Snapshot, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d := at.Documents[p.TextDocument.URI]
	all := []protocol.CommandOrCodeAction{}
	if d == nil {
		return all, nil
	}
	asked := d.Span(fromRange(p.Range), at.client.encoding)
	anything := false
	for _, found := range at.findings(d) {
		anything = anything || slices.ContainsFunc(found.Fixes, func(f diag.Fix) bool { return f.Safe })
		if found.Span.Start > asked.End || found.Span.End < asked.Start || !wanted(p.Context.Only, protocol.CodeActionKindQuickFix) {
			continue
		}
		for i, fix := range found.Fixes {
			a := at.action(d, choice{URI: d.URI, Version: d.Version, Rule: found.Code, Span: found.Span, Fix: i})
			a.Title = fix.Title
			a.Kind = new(protocol.CodeActionKindQuickFix)
			a.Diagnostics = []protocol.Diagnostic{at.client.toDiagnostic(d.URI, d.Analysis, found)}
			if at.client.preferred && i == 0 { // the nearest is first
				a.IsPreferred = new(true)
			}
			all = append(all, a)
		}
	}
	if a := at.generation(d, asked); a != nil && wanted(p.Context.Only, generateKind) {
		all = append(all, a)
	}
	// Asked for nothing in particular, editors mean the place: not the whole file.
	if anything && len(p.Context.Only) > 0 && wanted(p.Context.Only, fixAllKind) {
		a := at.action(d, choice{URI: d.URI, Version: d.Version})
		a.Title = "fix all that can be fixed safely"
		a.Kind = new(fixAllKind)
		all = append(all, a)
	}
	return all, nil
}

// wanted reports whether a kind is among those asked for: itself, one that it is
// of, or any.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}
