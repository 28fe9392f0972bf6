package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerRename(o *protocol.ServerCapabilities, c *client) {
	if !c.preparesRename { // one this old may not be sent options
		o.RenameProvider = protocol.Boolean(true)
		return
	}
	o.RenameProvider = &protocol.RenameOptions{PrepareProvider: &c.preparesRename}
}

// prepareRename answers which name would be changed.
func prepareRename(_ context.Context, at *Snapshot, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	span, name, err := assist.Renameable(d.Analysis, offset)
	if err != nil {
		return nil, refused(err)
	}
	return &protocol.PrepareRenamePlaceholder{Range: at.client.toRange(d.Analysis, span), Placeholder: name}, nil
}

// rename answers the edits, in all files, that give a name another spelling.
func rename(_ context.Context, at *Snapshot, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	others, where := at.others(d)
	changes, err := assist.Rename(d.Analysis, offset, p.NewName, others)
	if err != nil {
		return nil, refused(err)
	}
	edit := &protocol.WorkspaceEdit{}
	for _, c := range changes {
		at.addTo(edit, where[c.In], c.In, c.Edits)
	}
	return edit, nil
}

// refused is a request that was understood and cannot be done, and why.
func refused(why error) error {
	return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), why.Error())
}
