package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ideaction "github.com/rubric-ls/rubric/core/ide/action"
	idecompletion "github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/text"
)

func offerCodeActions(o *protocol.ServerCapabilities, c *client) {
	if !c.hasActionLiterals { // without literal support the client may not accept options
		o.CodeActionProvider = protocol.Boolean(true)
		return
	}
	o.CodeActionProvider = &protocol.CodeActionOptions{
		CodeActionKinds: []protocol.CodeActionKind{
			ideaction.QuickFix, ideaction.SourceFixAll, ideaction.SourceMigrate, generateKind, convertKind, ideaction.RefactorRewrite, ideaction.RefactorExtract, ideaction.Suppress,
		},
		ResolveProvider: &c.canResolveEdits,
	}
}

// codeAction returns the actions for a range.
func codeAction(_ context.Context, s *snapshot, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return []protocol.CommandOrCodeAction{}, nil
	}
	span := d.Span(fromRange(p.Range), s.client.encoding)
	actions, ignores := []protocol.CommandOrCodeAction{}, []protocol.CommandOrCodeAction{}
	for _, offer := range ideaction.Actions(d.Analysis, span, kindNames(p.Context.Only), d.DiagnosticsIn(span, s.duplicates[d.URI])) {
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

// toCodeAction converts an action. It includes the edit if the client does not resolve edits. It
// returns nil for an unavailable action that the client would not show.
func (s *snapshot) toCodeAction(d *document, offer ideaction.Action) *protocol.CodeAction {
	kind := protocol.CodeActionKind(offer.Kind)
	a := &protocol.CodeAction{Title: offer.Title, Kind: &kind, Disabled: protocol.CodeActionDisabled{Reason: offer.DisabledReason}}
	if offer.Diagnostic != nil {
		a.Diagnostics = []protocol.Diagnostic{s.client.toDiagnostic(d.URI, d.Analysis, *offer.Diagnostic, s.client.spanRange(d.Analysis, offer.Diagnostic.Span))}
	}
	if s.client.hasPreferredActions && offer.IsPreferred {
		a.IsPreferred = new(true)
	}
	switch {
	case offer.DisabledReason != "":
		if !s.client.hasDisabledActions {
			return nil
		}
	case s.client.canResolveEdits:
		a.Data = mustEncode(actionData{URI: d.URI, Version: d.Version, ActionData: offer.ActionData})
	default:
		edits, err := offer.Edits(d.Analysis)
		if err != nil {
			return nil
		}
		a.Edit = s.actionEdit(d, offer.ActionData, edits)
	}
	return a
}

// actionEdit returns the workspace edit of an action. If the client supports snippets, the reason
// of an ignore comment becomes a placeholder.
func (s *snapshot) actionEdit(d *document, choice ideaction.ActionData, edits []text.Edit) *protocol.WorkspaceEdit {
	edit := s.toWorkspaceEdit(d, edits)
	if !choice.Ignore || !s.client.hasSnippetEdits || len(edit.DocumentChanges) != 1 {
		return edit
	}
	for i, e := range edits {
		reason := strings.LastIndex(e.New, ideaction.ReasonPlaceholder)
		snippet := idecompletion.CompletionItem{Edit: e, Stops: []text.Span{{Start: reason, End: reason + len(ideaction.ReasonPlaceholder)}}}.Snippet()
		edit.DocumentChanges[0].(*protocol.TextDocumentEdit).Edits[i] = &protocol.SnippetTextEdit{
			Range: s.client.spanRange(d.Analysis, e.Span), Snippet: protocol.StringValue{Kind: "snippet", Value: snippet.New},
		}
	}
	return edit
}

// matchesKind reports whether kind, or one of its parents, is requested. An empty list requests all
// kinds.
func matchesKind(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == "" || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// resolveCodeAction computes the edit of a chosen action. It refuses an action of an earlier
// document version, because its spans are out of date.
func resolveCodeAction(_ context.Context, s *snapshot, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	if a.Data == nil {
		return a, nil
	}
	var data actionData
	if err := protocol.Unmarshal(a.Data, &data); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the action's data cannot be read: %v", err)
	}
	d := s.Documents[data.URI]
	if d == nil || d.Version != data.Version {
		return nil, jsonrpc2.NewError(protocol.CodeContentModified, "the document has changed since the action was offered")
	}
	if data.Convert {
		conversion, err := d.convert()
		if err != nil {
			return nil, requestFailed(err)
		}
		a.Edit = newFilesEdit(d.URI, conversion)
		s.client.showLosses(conversion)
		return a, nil
	}
	edits, err := data.Edits(d.Analysis)
	if errors.Is(err, ideaction.ErrSpan) {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	if err != nil {
		return nil, requestFailed(err)
	}
	a.Edit = s.actionEdit(d, data.ActionData, edits)
	if data.ToVersion != "" {
		if note := ideaction.ManualChangesNote(d.Analysis, data.ToVersion); note != "" {
			s.client.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "rubric: " + note})
		}
	}
	return a, nil
}

// actionData is the data of a code action: what it does to one version of a document.
type actionData struct {
	URI     uri.URI `json:"uri"`
	Version int32   `json:"version"`
	Convert bool    `json:"convert,omitzero"` // converts the file to the other dialect
	ideaction.ActionData
}
