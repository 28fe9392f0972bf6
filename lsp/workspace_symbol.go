package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

// mostSymbols is how many symbols are answered at most: nobody reads more.
const mostSymbols = 500

func offerWorkspaceSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.WorkspaceSymbolProvider = protocol.Boolean(true)
}

// workspaceSymbol answers the symbols, in all files, that a query finds, the best
// first.
func workspaceSymbol(ctx context.Context, at *Snapshot, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	type placed struct {
		protocol.SymbolInformation
		rank int
	}
	var found []placed
	all, where := at.others(nil)
	for _, a := range all {
		if ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		at.session.guarded(string(where[a]), func() {
			for _, m := range assist.Matches(assist.SymbolsOf(a), p.Query) {
				found = append(found, placed{at.client.toInformation(a, where[a], m.Symbol, m.In), m.Rank})
			}
		})
	}
	slices.SortStableFunc(found, func(a, b placed) int { return a.rank - b.rank })
	symbols := protocol.SymbolInformationSlice{}
	for _, f := range found[:min(len(found), mostSymbols)] {
		symbols = append(symbols, f.SymbolInformation)
	}
	return symbols, nil
}
