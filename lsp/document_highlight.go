package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerDocumentHighlights(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentHighlightProvider = protocol.Boolean(true)
}

// documentHighlight answers which places belong to the one that the cursor is
// on.
func documentHighlight(_ context.Context, s *snapshot, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	highlights := []protocol.DocumentHighlight{}
	d, offset := s.documentAt(p.TextDocumentPositionParams)
	if d == nil {
		return highlights, nil
	}
	for _, h := range assist.Highlights(d.Analysis, offset) {
		highlights = append(highlights, protocol.DocumentHighlight{
			Range: s.client.toRange(d.Analysis, h.Span), Kind: protocol.DocumentHighlightKind(h.Kind), // numbered as in the protocol
		})
	}
	return highlights, nil
}
