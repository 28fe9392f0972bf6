package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
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
		CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, fixAllKind},
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
	for _, found := range d.findings() {
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

// choice is what an action does, to be worked out when it is chosen: a fix of a
// finding in one version of a document or, without a rule, all of them.
type choice struct {
	URI     uri.URI   `json:"uri"`
	Version int32     `json:"version"`
	Rule    string    `json:"rule,omitzero"`
	Span    text.Span `json:"span,omitzero"`
	Fix     int       `json:"fix,omitzero"`
}

// action is an action that does what was chosen, with its edit where the client
// would not ask for that.
func (at *Snapshot) action(d *Document, what choice) *protocol.CodeAction {
	a := &protocol.CodeAction{}
	if !at.client.lazyEdits {
		a.Edit = at.toWorkspaceEdit(d, what.edits(d))
		return a
	}
	encoded, err := codec{}.Marshal(what)
	if err != nil { // a struct of strings and numbers
		panic(err)
	}
	a.Data = encoded
	return a
}

// edits are what was chosen, as edits of the document.
func (what choice) edits(d *Document) []text.Edit {
	if what.Rule == "" {
		fixed, _ := d.Fixed()
		return between(d.body(), fixed.Slice(text.Span{End: fixed.Length()}))
	}
	for _, found := range d.findings() {
		if found.Code == what.Rule && found.Span == what.Span && what.Fix >= 0 && what.Fix < len(found.Fixes) {
			return found.Fixes[what.Fix].Edits
		}
	}
	return nil
}

// resolveAction works out the edit of an action that was chosen. One for an
// earlier version of the document is refused: its places are not there any more.
func resolveAction(_ context.Context, at *Snapshot, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	if a.Data == nil {
		return a, nil
	}
	var what choice
	if err := protocol.Unmarshal(a.Data, &what); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the action's data cannot be read: %v", err)
	}
	d := at.Documents[what.URI]
	if d == nil || d.Version != what.Version {
		return nil, jsonrpc2.NewError(protocol.CodeContentModified, "the document has changed since the action was offered")
	}
	edits := what.edits(d)
	if edits == nil {
		return nil, jsonrpc2.NewError(protocol.CodeContentModified, "what the action mends is not there any more")
	}
	a.Edit = at.toWorkspaceEdit(d, edits)
	return a, nil
}
