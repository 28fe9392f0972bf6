package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
)

func offerSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentSymbolProvider = protocol.Boolean(true)
}

// documentSymbol answers a document's outline, as a list to clients that know no
// trees.
func documentSymbol(_ context.Context, at *Snapshot, p *protocol.DocumentSymbolParams) (jsonrpc2.RawMessage, error) {
	d := at.about(p.TextDocument.URI)
	if d == nil {
		return jsonrpc2.RawMessage("[]"), nil
	}
	if at.client.outlines {
		return at.client.tree(d.Analysis)
	}
	flat := protocol.SymbolInformationSlice{}
	var way []string // the names of what is around
	for depth, s := range assist.Outline(d.Analysis) {
		container := ""
		if depth > 0 {
			container = way[depth-1]
		}
		flat = append(flat, at.client.toInformation(d.Analysis, d.URI, s, container))
		way = append(way[:depth], s.Name)
	}
	return codec{}.Marshal(flat)
}

// tree is a file's outline as JSON. Each symbol is encoded when it is visited: all
// of a large file's as values of the protocol would weigh as much as its analysis.
func (c *client) tree(a *analysis.Analysis) (out jsonrpc2.RawMessage, err error) {
	outline := assist.Outline(a)
	last := -1                                       // the depth of the symbol that is still open
	out = append(make([]byte, 0, 2*a.Length()), '[') // as long as it gets, about
	for depth, s := range outline {
		switch {
		case depth <= last:
			out = append(out, "}"+strings.Repeat("]}", last-depth)+","...)
		case last >= 0:
			out = append(out, `,"children":[`...)
		}
		if out, err = protocol.AppendMarshal(out, c.toSymbol(a, s)); err != nil {
			return nil, err
		}
		out, last = out[:len(out)-len("}")], depth
	}
	if last >= 0 {
		out = append(out, "}"+strings.Repeat("]}", last)...)
	}
	return append(out, ']'), nil
}
