package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerHover(o *protocol.ServerCapabilities, _ *client) { o.HoverProvider = protocol.Boolean(true) }

// hover answers what is known of a place.
func hover(_ context.Context, at *Snapshot, p *protocol.HoverParams) (*protocol.Hover, error) {
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return nil, nil
	}
	part := d.At(offset)
	told, ok := assist.HoverAt(part, part.Local(offset), at.outcomes(d, part.Suite.Cases))
	if !ok {
		return nil, nil
	}
	span := at.client.toRange(d.Analysis, part.Place(told.Span))
	return &protocol.Hover{Contents: at.client.toMarkup(told.Markdown), Range: &span}, nil
}
