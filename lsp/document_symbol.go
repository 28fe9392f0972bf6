package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
)

func offerSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentSymbolProvider = protocol.Boolean(true)
}

// documentSymbol answers a document's outline, as a list to clients that know no
// trees.
func documentSymbol(_ context.Context, at *Snapshot, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return protocol.DocumentSymbolSlice{}, nil
	}
	symbols := assist.SymbolsOf(d.Analysis)
	if at.client.outlines {
		return at.client.toSymbols(d.Analysis, symbols), nil
	}
	flat := protocol.SymbolInformationSlice{}
	at.client.flatten(d.Analysis, d.URI, symbols, "", func(s protocol.SymbolInformation) { flat = append(flat, s) })
	return flat, nil
}

// flatten visits symbols and what is in them, in order.
func (c *client) flatten(a *analysis.Analysis, u uri.URI, symbols []assist.Symbol, container string, visit func(protocol.SymbolInformation)) {
	for _, s := range symbols {
		visit(c.toInformation(a, u, s, container))
		c.flatten(a, u, s.Inside, s.Name, visit)
	}
}
