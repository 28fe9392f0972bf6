package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerDefinition(o *protocol.ServerCapabilities, _ *client) {
	o.DefinitionProvider = protocol.Boolean(true)
}

// definition answers where a name is declared, or the file that a text leads to.
func definition(_ context.Context, s *snapshot, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return protocol.LocationSlice{}, nil
	}
	others, uris := s.otherFiles(d)
	found := s.client.toLocations(uris, assist.Definitions(d.Analysis, offset, others))
	part := d.ChunkAt(offset)
	if link, ok := assist.LinkAt(part, part.FromFile(offset)); ok && len(found) == 0 && link.URL == "" {
		if file := s.linkTarget(d.URI, link); file != "" {
			found = append(found, protocol.Location{URI: file})
		}
	}
	return protocol.LocationSlice(found), nil
}
