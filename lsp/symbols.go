package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/outline"
	"github.com/rubric-ls/rubric/core/text"
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
	text.SortStable(found, func(a, b outline.Match) int { return a.Rank - b.Rank })
	symbols := []ide.SymbolInformation{}
	for _, m := range found[:min(len(found), maxSymbols)] {
		symbols = append(symbols, m.SymbolInformation)
	}
	return symbols, nil
}
