package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	ideoutline "github.com/rubric-ls/rubric/core/ide/outline"
)

func offerDocumentSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.DocumentSymbolProvider = protocol.Boolean(true)
}

// documentSymbol returns a document's outline, as a flat list for clients without tree support.
func documentSymbol(_ context.Context, snap *snapshot, p *protocol.DocumentSymbolParams) (jsonrpc2.RawMessage, error) {
	d := snap.evalDocument(p.TextDocument.URI)
	if d == nil {
		return jsonrpc2.RawMessage("[]"), nil
	}
	if snap.client.hasSymbolTree {
		return snap.client.symbolTree(d.Analysis)
	}
	flat := protocol.SymbolInformationSlice{}
	var ancestors []string // names of the enclosing symbols
	for depth, s := range ideoutline.Outline(d.Analysis) {
		container := ""
		if depth > 0 {
			container = ancestors[depth-1]
		}
		flat = append(flat, snap.client.toSymbolInformation(d.Analysis, d.URI, s, container))
		ancestors = append(ancestors[:depth], s.Name)
	}
	return codec{}.Marshal(flat)
}

// symbolTree returns a file's outline as JSON. It encodes each symbol when it visits it, because
// the protocol values of a large file would need as much memory as its analysis.
func (c *client) symbolTree(a *analysis.Analysis) (out jsonrpc2.RawMessage, err error) {
	outline := ideoutline.Outline(a)
	openDepth := -1                                  // depth of the last symbol, which is still open
	out = append(make([]byte, 0, 2*a.Length()), '[') // roughly its final size
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

// maxSymbols limits the result, because nobody reads more.
const maxSymbols = 500

func offerWorkspaceSymbols(o *protocol.ServerCapabilities, _ *client) {
	o.WorkspaceSymbolProvider = protocol.Boolean(true)
}

// workspaceSymbol returns the symbols of all files that match a query, best match first.
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
			for _, m := range ideoutline.SearchSymbols(ideoutline.FileSymbols(a), p.Query) {
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
