package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

// semanticTokensDelta answers what has changed since an answer, or all if that is
// not the last one.
func semanticTokensDelta(_ context.Context, at *Snapshot, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	now, before := at.session.coloured.keep(d.URI, at.client.toTokens(d.Analysis, text.Span{End: d.Length()}))
	if before == nil || *before.ResultID != p.PreviousResultID {
		return now, nil
	}
	delta := &protocol.SemanticTokensDelta{ResultID: now.ResultID, Edits: []protocol.SemanticTokensEdit{}}
	if e, changed := assist.DiffTokens(before.Data, now.Data); changed {
		delta.Edits = append(delta.Edits, protocol.SemanticTokensEdit{Start: uint32(e.Start), DeleteCount: uint32(e.Deleted), Data: e.Data})
	}
	return delta, nil
}
