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

func offerCodeActions(o *protocol.ServerCapabilities, c *client) {
	if !c.hasActionLiterals { // one this old may not be sent options
		o.CodeActionProvider = protocol.Boolean(true)
		return
	}
	o.CodeActionProvider = &protocol.CodeActionOptions{
		CodeActionKinds: []protocol.CodeActionKind{
			assist.QuickFix, assist.SourceFixAll, assist.SourceMigrate, generateKind, convertKind, assist.RefactorRewrite, assist.RefactorExtract, assist.Suppress,
		},
		ResolveProvider: &c.canResolveEdits,
	}
}

// codeAction answers what can be done in a range.
func codeAction(_ context.Context, s *snapshot, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return []protocol.CommandOrCodeAction{}, nil
	}
	span := d.Span(fromRange(p.Range), s.client.encoding)
	actions, ignores := []protocol.CommandOrCodeAction{}, []protocol.CommandOrCodeAction{}
	var diagnostics []diag.Diagnostic
	for _, f := range s.diagnosticsIn(d, span) {
		diagnostics = append(diagnostics, f.DiagnosticInFile())
	}
	for _, offer := range assist.Actions(d.Analysis, span, kindNames(p.Context.Only), diagnostics) {
		switch a := s.toCodeAction(d, offer); {
		case a == nil:
		case offer.Ignore:
			ignores = append(ignores, a)
		default:
			actions = append(actions, a)
		}
	}
	if a := s.generateAction(d, span); a != nil && matchesKind(p.Context.Only, generateKind) {
		actions = append(actions, a)
	}
	if a := s.convertAction(d, span); a != nil && matchesKind(p.Context.Only, convertKind) {
		actions = append(actions, a)
	}
	return append(actions, ignores...), nil
}

func kindNames(kinds []protocol.CodeActionKind) (names []string) {
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}

// toCodeAction is an action with its edit where the client would not ask for that;
// nil if it cannot be had and the client shows no such.
func (s *snapshot) toCodeAction(d *document, offer assist.Action) *protocol.CodeAction {
	kind := protocol.CodeActionKind(offer.Kind)
	a := &protocol.CodeAction{Title: offer.Title, Kind: &kind, Disabled: protocol.CodeActionDisabled{Reason: offer.DisabledReason}}
	if offer.Diagnostic != nil {
		a.Diagnostics = []protocol.Diagnostic{s.client.toDiagnostic(d.URI, d.Analysis, analysis.Finding{Diagnostic: offer.Diagnostic}, s.client.toRange(d.Analysis, offer.Diagnostic.Span))}
	}
	if s.client.hasPreferredActions && offer.IsPreferred {
		a.IsPreferred = new(true)
	}
	switch encoded, err := (codec{}).Marshal(actionData{URI: d.URI, Version: d.Version, ActionData: offer.ActionData}); {
	case offer.DisabledReason != "":
		if !s.client.hasDisabledActions {
			return nil
		}
	case s.client.canResolveEdits && err == nil:
		a.Data = encoded
	default:
		edits, err := offer.Edits(d.Analysis)
		if err != nil {
			return nil // it cannot be had after all
		}
		a.Edit = s.actionEdit(d, offer.ActionData, edits)
	}
	return a
}

// actionEdit are the edits of a choice. Where the client can do so, the reason why a rule
// is ignored is left to fill in.
func (s *snapshot) actionEdit(d *document, choice assist.ActionData, edits []text.Edit) *protocol.WorkspaceEdit {
	edit := s.toWorkspaceEdit(d, edits)
	if !choice.Ignore || !s.client.hasSnippetEdits || len(edit.DocumentChanges) != 1 {
		return edit
	}
	for i, e := range edits {
		reason := strings.LastIndex(e.New, assist.ReasonPlaceholder)
		snippet := assist.CompletionItem{Edit: e, Stops: []text.Span{{Start: reason, End: reason + len(assist.ReasonPlaceholder)}}}.Snippet()
		edit.DocumentChanges[0].(*protocol.TextDocumentEdit).Edits[i] = &protocol.SnippetTextEdit{
			Range: s.client.toRange(d.Analysis, e.Span), Snippet: protocol.StringValue{Kind: "snippet", Value: snippet.New},
		}
	}
	return edit
}

// matchesKind reports whether a kind is among those asked for: itself, one that it is
// of, or any.
func matchesKind(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}
