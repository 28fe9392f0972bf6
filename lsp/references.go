package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerReferences(o *protocol.ServerCapabilities, _ *client) {
	o.ReferencesProvider = protocol.Boolean(true)
}

// references answers where a name is written.
func references(_ context.Context, at *Snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return []protocol.Location{}, nil
	}
	others, where := at.others(d)
	return at.client.toLocations(where, assist.References(d.Analysis, offset, others, p.Context.IncludeDeclaration)), nil
}
