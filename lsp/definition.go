package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerDefinition(o *protocol.ServerCapabilities, _ *client) {
	o.DefinitionProvider = protocol.Boolean(true)
}

// definition answers where a name is declared.
func definition(_ context.Context, at *Snapshot, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return protocol.LocationSlice{}, nil
	}
	others, where := at.others(d)
	return protocol.LocationSlice(at.client.toLocations(where, assist.Definitions(d.Analysis, offset, others))), nil
}
