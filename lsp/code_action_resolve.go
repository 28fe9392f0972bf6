package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
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
	edits, err := what.Edits(d.Analysis)
	if err != nil {
		return nil, refused(err)
	}
	a.Edit = at.toWorkspaceEdit(d, edits)
	if what.Into != "" {
		at.tellRest(d, what.Into)
	}
	return a, nil
}

// tellRest tells what of a document has another form in a version, and is left
// for a person to rewrite.
func (at *Snapshot) tellRest(d *Document, into agentv.Version) {
	_, left, _ := assist.Migrate(d.Analysis, into) // that there are edits is known
	if len(left) == 0 {
		return
	}
	line := d.Position(left[0].Span.Start, at.client.encoding).Line + 1
	at.client.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
		Type:    protocol.MessageTypeInfo,
		Message: fmt.Sprintf("rubric: %d more to rewrite by hand, first on line %d: %s", len(left), line, left[0].Reason),
	})
}
