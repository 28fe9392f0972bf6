package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerRename(o *protocol.ServerCapabilities, c *client) {
	if !c.canPrepareRename { // one this old may not be sent options
		o.RenameProvider = protocol.Boolean(true)
		return
	}
	o.RenameProvider = &protocol.RenameOptions{PrepareProvider: &c.canPrepareRename}
}

// prepareRename answers which name would be changed.
func prepareRename(_ context.Context, s *snapshot, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	span, name, err := assist.PrepareRename(d.Analysis, offset)
	if err != nil {
		return nil, requestFailedError(err)
	}
	return &protocol.PrepareRenamePlaceholder{Range: s.client.toRange(d.Analysis, span), Placeholder: name}, nil
}

// rename answers the edits, in all files, that give a name another spelling.
func rename(_ context.Context, s *snapshot, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	others, uris := s.otherFiles(d)
	changes, err := assist.Rename(d.Analysis, offset, p.NewName, others)
	if err != nil {
		return nil, requestFailedError(err)
	}
	edit := &protocol.WorkspaceEdit{}
	for _, c := range changes {
		s.addEdits(edit, uris[c.File], c.File, c.Edits)
	}
	return edit, nil
}

// requestFailedError is a request that was understood and cannot be done, and why.
func requestFailedError(why error) error {
	return jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), why.Error())
}
