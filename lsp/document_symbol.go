package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
)

func offerDocumentSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentSymbolProvider = protocol.Boolean(true)
}

// documentSymbol answers a document's outline, as a list to clients that know no
// trees.
func documentSymbol(_ context.Context, snap *snapshot, p *protocol.DocumentSymbolParams) (jsonrpc2.RawMessage, error) {
	d := snap.evalDocument(p.TextDocument.URI)
	if d == nil {
		return jsonrpc2.RawMessage("[]"), nil
	}
	if snap.client.hasSymbolTree {
		return snap.client.symbolTree(d.Analysis)
	}
	flat := protocol.SymbolInformationSlice{}
	var ancestors []string // the names of what is around
	for depth, s := range assist.Outline(d.Analysis) {
		container := ""
		if depth > 0 {
			container = ancestors[depth-1]
		}
		flat = append(flat, snap.client.toSymbolInformation(d.Analysis, d.URI, s, container))
		ancestors = append(ancestors[:depth], s.Name)
	}
	return codec{}.Marshal(flat)
}

// symbolTree is a file's outline as JSON. Each symbol is encoded when it is visited: all
// of a large file's as values of the protocol would weigh as much as its analysis.
func (c *client) symbolTree(a *analysis.Analysis) (out jsonrpc2.RawMessage, err error) {
	outline := assist.Outline(a)
	openDepth := -1                                  // the depth of the symbol that is still open
	out = append(make([]byte, 0, 2*a.Length()), '[') // as long as it gets, about
	for depth, s := range outline {
		switch {
		case depth <= openDepth:
			out = append(out, "}"+strings.Repeat("]}", openDepth-depth)+","...)
		case openDepth >= 0:
			out = append(out, `,"children":[`...)
		}
		if out, err = protocol.AppendMarshal(out, c.toSymbol(a, s)); err != nil {
			return nil, err
		}
		out, openDepth = out[:len(out)-len("}")], depth
	}
	if openDepth >= 0 {
		out = append(out, "}"+strings.Repeat("]}", openDepth)...)
	}
	return append(out, ']'), nil
}
