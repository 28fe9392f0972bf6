package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerHover(o *protocol.ServerCapabilities, _ *client) { o.HoverProvider = protocol.Boolean(true) }

// hover answers what is known of a place.
func hover(_ context.Context, s *snapshot, p *protocol.HoverParams) (*protocol.Hover, error) {
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	part := d.ChunkAt(offset)
	info, ok := assist.HoverAt(part, part.FromFile(offset), s.outcomes(d, part.Suite.Cases))
	if !ok {
		return nil, nil
	}
	span := s.client.toRange(d.Analysis, part.ToFile(info.Span))
	return &protocol.Hover{Contents: s.client.toMarkup(info.Markdown), Range: &span}, nil
}
