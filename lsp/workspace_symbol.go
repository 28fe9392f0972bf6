package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/assist"
)

// mostSymbols is how many symbols are answered at most: nobody reads more.
const mostSymbols = 500

func offerWorkspaceSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.WorkspaceSymbolProvider = protocol.Boolean(true)
}

// workspaceSymbol answers the symbols, in all files, whose name has the letters
// of a query in their order.
func workspaceSymbol(ctx context.Context, at *Snapshot, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	found := protocol.SymbolInformationSlice{}
	all, where := at.others(&Document{})
	for _, a := range all {
		if ctx.Err() != nil {
			return nil, protocol.ErrRequestCancelled
		}
		at.client.flatten(a, where[a], assist.SymbolsOf(a), "", func(s protocol.SymbolInformation) {
			if len(found) < mostSymbols && hasInOrder(s.Name, p.Query) {
				found = append(found, s)
			}
		})
	}
	return found, nil
}

// hasInOrder reports whether the letters of a query are in a name, in their
// order, whatever their case.
func hasInOrder(name, query string) bool {
	name = strings.ToLower(name)
	for _, c := range strings.ToLower(query) {
		i := strings.IndexRune(name, c)
		if i < 0 {
			return false
		}
		name = name[i+len(string(c)):]
	}
	return true
}
