package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

func offerTokenDelta(o *protocol.ServerCapabilities, _ *cache.Client) {
	if tokens, ok := o.SemanticTokensProvider.(*protocol.SemanticTokensOptions); ok {
		tokens.Full = &protocol.SemanticTokensFullDelta{Delta: new(true)}
	}
}

// semanticTokens returns the semantic tokens of a document.
func semanticTokens(_ context.Context, s *snapshot, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := s.EvalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, _ := s.session.Tokens.Put(d.URI, token.InRange(s.openFile(d), text.Span{End: d.Length()}).Data)
	return current, nil
}

// semanticTokensDelta returns the changes since a previous result, or all tokens if that is not the
// last one.
func semanticTokensDelta(_ context.Context, s *snapshot, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := s.EvalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, previous := s.session.Tokens.Put(d.URI, token.InRange(s.openFile(d), text.Span{End: d.Length()}).Data)
	if previous == nil || *previous.ResultID != p.PreviousResultID {
		return current, nil
	}
	delta := &protocol.SemanticTokensDelta{ResultID: current.ResultID, Edits: []protocol.SemanticTokensEdit{}}
	if e, changed := token.DiffTokens(previous.Data, current.Data); changed {
		delta.Edits = append(delta.Edits, protocol.SemanticTokensEdit{Start: uint32(e.Start), DeleteCount: uint32(e.Deleted), Data: e.Data})
	}
	return delta, nil
}
