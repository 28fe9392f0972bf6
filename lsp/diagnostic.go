package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// offerDiagnostics offers to be asked for diagnostics. Clients that ask are not
// pushed any: they would show both.
func offerDiagnostics(o *protocol.ServerCapabilities, c *client) {
	if c.pullsDiagnostics {
		o.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

// diagnostic answers what is wrong with one document.
func diagnostic(_ context.Context, s *snapshot, p *protocol.DocumentDiagnosticParams) (jsonrpc2.RawMessage, error) {
	items := []byte("[]")
	if d := s.Documents[p.TextDocument.URI]; d != nil {
		items, _ = s.diagnosticsJSON(d)
	}
	previousID := ""
	if p.PreviousResultID != nil {
		previousID = *p.PreviousResultID
	}
	report, _ := encodeReport(items, previousID)
	return report, nil
}
