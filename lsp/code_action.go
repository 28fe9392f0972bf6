package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
)

func offerActions(o *protocol.ServerCapabilities, c *client) {
	if !c.actionLiterals { // one this old may not be sent options
		o.CodeActionProvider = protocol.Boolean(true)
		return
	}
	o.CodeActionProvider = &protocol.CodeActionOptions{
		CodeActionKinds: []protocol.CodeActionKind{
			assist.QuickFix, assist.FixAll, assist.WriteAs, generateKind, convertKind, assist.RefactorRewrite, assist.RefactorExtract, assist.Suppress,
		},
		ResolveProvider: &c.lazyEdits,
	}
}

// codeAction answers what can be done in a range.
func codeAction(_ context.Context, at *Snapshot, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return []protocol.CommandOrCodeAction{}, nil
	}
	span := d.Span(fromRange(p.Range), at.client.encoding)
	all, last := []protocol.CommandOrCodeAction{}, []protocol.CommandOrCodeAction{}
	var found []diag.Diagnostic
	for _, f := range at.within(d, span) {
		found = append(found, f.InFile())
	}
	for _, offered := range assist.Actions(d.Analysis, span, kindNames(p.Context.Only), found) {
		switch a := at.toAction(d, offered); {
		case a == nil:
		case offered.Ignore:
			last = append(last, a)
		default:
			all = append(all, a)
		}
	}
	if a := at.generation(d, span); a != nil && wanted(p.Context.Only, generateKind) {
		all = append(all, a)
	}
	if a := at.conversion(d, span); a != nil && wanted(p.Context.Only, convertKind) {
		all = append(all, a)
	}
	return append(all, last...), nil
}

func kindNames(kinds []protocol.CodeActionKind) (names []string) {
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}

// toAction is an action with its edit where the client would not ask for that;
// nil if it cannot be had and the client shows no such.
func (at *Snapshot) toAction(d *Document, offered assist.Action) *protocol.CodeAction {
	kind := protocol.CodeActionKind(offered.Kind)
	a := &protocol.CodeAction{Title: offered.Title, Kind: &kind, Disabled: protocol.CodeActionDisabled{Reason: offered.Reason}}
	if offered.Mends != nil {
		a.Diagnostics = []protocol.Diagnostic{at.client.toDiagnostic(d.URI, d.Analysis, analysis.Finding{Diagnostic: offered.Mends}, at.client.toRange(d.Analysis, offered.Mends.Span))}
	}
	if at.client.preferred && offered.First {
		a.IsPreferred = new(true)
	}
	switch encoded, err := (codec{}).Marshal(choice{URI: d.URI, Version: d.Version, Choice: offered.Choice}); {
	case offered.Reason != "":
		if !at.client.disabled {
			return nil
		}
	case at.client.lazyEdits && err == nil:
		a.Data = encoded
	default:
		edits, err := offered.Edits(d.Analysis)
		if err != nil {
			return nil // it cannot be had after all
		}
		a.Edit = at.chosen(d, offered.Choice, edits)
	}
	return a
}

// chosen are the edits of a choice. Where the client can do so, the reason why a rule
// is ignored is left to fill in.
func (at *Snapshot) chosen(d *Document, what assist.Choice, edits []text.Edit) *protocol.WorkspaceEdit {
	all := at.toWorkspaceEdit(d, edits)
	if !what.Ignore || !at.client.fillsIn || len(all.DocumentChanges) != 1 {
		return all
	}
	for i, e := range edits {
		reason := strings.LastIndex(e.New, assist.IgnoreReason)
		snippet := assist.Item{Edit: e, Stops: []text.Span{{Start: reason, End: reason + len(assist.IgnoreReason)}}}.Snippet()
		all.DocumentChanges[0].(*protocol.TextDocumentEdit).Edits[i] = &protocol.SnippetTextEdit{
			Range: at.client.toRange(d.Analysis, e.Span), Snippet: protocol.StringValue{Kind: "snippet", Value: snippet.New},
		}
	}
	return all
}

// wanted reports whether a kind is among those asked for: itself, one that it is
// of, or any.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}
