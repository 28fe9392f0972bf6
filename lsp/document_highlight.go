package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

func offerHighlights(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentHighlightProvider = protocol.Boolean(true)
}

// documentHighlight answers which places belong to the one that the cursor is
// on.
func documentHighlight(_ context.Context, at *Snapshot, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	all := []protocol.DocumentHighlight{}
	d, offset := at.place(p.TextDocumentPositionParams)
	if d == nil {
		return all, nil
	}
	for _, h := range assist.Highlights(d.Analysis, offset) {
		all = append(all, protocol.DocumentHighlight{
			Range: at.client.toRange(d.Analysis, h.Span), Kind: protocol.DocumentHighlightKind(h.Kind), // numbered as in the protocol
		})
	}
	return all, nil
}
