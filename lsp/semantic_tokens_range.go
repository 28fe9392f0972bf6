package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// semanticTokensRange answers those of a stretch of it, which is what is on the
// screen.
func semanticTokensRange(_ context.Context, at *Snapshot, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return &protocol.SemanticTokens{Data: at.client.toTokens(d.Analysis, d.Span(fromRange(p.Range), at.client.encoding))}, nil
}
