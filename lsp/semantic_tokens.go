package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerSemanticTokens(o *protocol.ServerCapabilities, _ *client) {
	delta := true
	o.SemanticTokensProvider = &protocol.SemanticTokensOptions{
		Legend: protocol.SemanticTokensLegend{TokenTypes: assist.TokenTypes[:], TokenModifiers: assist.TokenModifiers[:]},
		Full:   &protocol.SemanticTokensFullDelta{Delta: &delta},
		Range:  protocol.Boolean(true),
	}
}

// semanticTokens answers the colours of a document.
func semanticTokens(_ context.Context, s *snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, _ := s.session.tokens.put(d.URI, s.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	return current, nil
}
