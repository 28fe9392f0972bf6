package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

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
	if what.Convert {
		made, err := d.converted()
		if err != nil {
			return nil, refused(err)
		}
		a.Edit = newFiles(d.URI, made)
		at.client.tellLosses(made)
		return a, nil
	}
	edits, err := what.Edits(d.Analysis)
	if errors.Is(err, assist.ErrSpan) {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	if err != nil {
		return nil, refused(err)
	}
	a.Edit = at.chosen(d, what.Choice, edits)
	if what.Into != "" {
		if left := assist.LeftByHand(d.Analysis, what.Into); left != "" {
			at.client.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "rubric: " + left})
		}
	}
	return a, nil
}
