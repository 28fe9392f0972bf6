package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

// resolveCodeAction works out the edit of an action that was chosen. One for an
// earlier version of the document is refused: its places are not there any more.
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
			return nil, requestFailedError(err)
		}
		a.Edit = newFilesEdit(d.URI, conversion)
		s.client.showLosses(conversion)
		return a, nil
	}
	edits, err := data.Edits(d.Analysis)
	if errors.Is(err, assist.ErrSpan) {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	if err != nil {
		return nil, requestFailedError(err)
	}
	a.Edit = s.actionEdit(d, data.ActionData, edits)
	if data.ToVersion != "" {
		if note := assist.ManualChangesNote(d.Analysis, data.ToVersion); note != "" {
			s.client.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "rubric: " + note})
		}
	}
	return a, nil
}
