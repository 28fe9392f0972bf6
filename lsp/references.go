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
func references(_ context.Context, s *snapshot, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return []protocol.Location{}, nil
	}
	others, uris := s.otherFiles(d)
	return s.client.toLocations(uris, assist.References(d.Analysis, offset, others, p.Context.IncludeDeclaration)), nil
}
