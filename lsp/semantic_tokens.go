package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func offerTokens(o *protocol.ServerCapabilities, _ *client) {
	delta := true
	o.SemanticTokensProvider = &protocol.SemanticTokensOptions{
		Legend: protocol.SemanticTokensLegend{TokenTypes: assist.TokenTypes[:], TokenModifiers: assist.TokenModifiers[:]},
		Full:   &protocol.SemanticTokensFullDelta{Delta: &delta},
		Range:  protocol.Boolean(true),
	}
}

// semanticTokens answers the colours of a document.
func semanticTokens(_ context.Context, at *Snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	now, _ := at.session.coloured.keep(d.URI, at.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	return now, nil
}
