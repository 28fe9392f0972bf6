package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

// maxSymbols is how many symbols are answered at most: nobody reads more.
const maxSymbols = 500

func offerWorkspaceSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.WorkspaceSymbolProvider = protocol.Boolean(true)
}

// workspaceSymbol answers the symbols, in all files, that a query finds, the best
// first.
func workspaceSymbol(ctx context.Context, s *snapshot, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	type placed struct {
		protocol.SymbolInformation
		rank int
	}
	var found []placed
	files, uris := s.otherFiles(nil)
	for _, a := range files {
		if ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		s.session.guardPanic(string(uris[a]), func() {
			for _, m := range assist.SearchSymbols(assist.FileSymbols(a), p.Query) {
				found = append(found, placed{s.client.toSymbolInformation(a, uris[a], m.Symbol, m.Container), m.Rank})
			}
		})
	}
	slices.SortStableFunc(found, func(a, b placed) int { return a.rank - b.rank })
	symbols := protocol.SymbolInformationSlice{}
	for _, f := range found[:min(len(found), maxSymbols)] {
		symbols = append(symbols, f.SymbolInformation)
	}
	return symbols, nil
}
