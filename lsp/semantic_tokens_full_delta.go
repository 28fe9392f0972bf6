package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// semanticTokensDelta answers what has changed since an answer, or all if that is
// not the last one.
func semanticTokensDelta(_ context.Context, s *snapshot, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := s.evalDocument(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	current, previous := s.session.tokens.put(d.URI, s.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	if previous == nil || *previous.ResultID != p.PreviousResultID {
		return current, nil
	}
	delta := &protocol.SemanticTokensDelta{ResultID: current.ResultID, Edits: []protocol.SemanticTokensEdit{}}
	if e, changed := assist.DiffTokens(previous.Data, current.Data); changed {
		delta.Edits = append(delta.Edits, protocol.SemanticTokensEdit{Start: uint32(e.Start), DeleteCount: uint32(e.Deleted), Data: e.Data})
	}
	return delta, nil
}
