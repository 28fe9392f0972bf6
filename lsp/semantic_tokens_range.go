package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// semanticTokensRange answers those of a stretch of it, which is what is on the
// screen.
func semanticTokensRange(_ context.Context, s *snapshot, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return &protocol.SemanticTokens{Data: s.client.toTokens(d.Analysis, d.Span(fromRange(p.Range), s.client.encoding))}, nil
}
