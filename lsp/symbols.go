package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/outline"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// maxSymbols limits the result, because nobody reads more.
const maxSymbols = 500

// workspaceSymbol returns the symbols of all files that match a query, best match first.
func workspaceSymbol(ctx context.Context, s *snapshot, p *protocol.WorkspaceSymbolParams) ([]ide.SymbolInformation, error) {
	var found []outline.Match
	for _, f := range s.OtherFiles(nil) {
		if ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		s.session.GuardPanic(f.URI, func() { found = append(found, outline.Search(f, p.Query)...) })
	}
	generic.SortStable(found, func(a, b outline.Match) int { return a.Rank - b.Rank })
	symbols := generic.Map(found[:min(len(found), maxSymbols)], func(m outline.Match) ide.SymbolInformation { return m.SymbolInformation })
	return append([]ide.SymbolInformation{}, symbols...), nil
}

func offerTokenDelta(o *protocol.ServerCapabilities, _ *cache.Client) {
	if tokens, ok := o.SemanticTokensProvider.(*protocol.SemanticTokensOptions); ok {
		tokens.Full = &protocol.SemanticTokensFullDelta{Delta: new(true)}
	}
}

// semanticTokens returns the semantic tokens of a document.
func semanticTokens(ctx context.Context, s *snapshot, p *protocol.SemanticTokensParams) (protocol.SemanticTokensDeltaResult, error) {
	return semanticTokensDelta(ctx, s, &protocol.SemanticTokensDeltaParams{TextDocument: p.TextDocument})
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
