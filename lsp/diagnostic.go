package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// offerDiagnostics offers to be asked for diagnostics. Clients that ask are not
// pushed any: they would show both.
func offerDiagnostics(o *protocol.ServerCapabilities, c *client) {
	if c.pull {
		o.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

// diagnostic answers what is wrong with one document.
func diagnostic(_ context.Context, at *Snapshot, p *protocol.DocumentDiagnosticParams) (jsonrpc2.RawMessage, error) {
	list := []byte("[]")
	if d := at.Documents[p.TextDocument.URI]; d != nil {
		list, _ = at.said(d)
	}
	known := ""
	if p.PreviousResultID != nil {
		known = *p.PreviousResultID
	}
	answer, _ := pulled(list, known)
	return answer, nil
}
