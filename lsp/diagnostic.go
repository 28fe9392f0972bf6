package lsp

import (
	"context"
	"fmt"
	"hash/fnv"

	"go.lsp.dev/protocol"
)

// offerDiagnostics offers to be asked for diagnostics. Clients that ask are not
// pushed any: they would show both.
func offerDiagnostics(o *protocol.ServerCapabilities, c *client) {
	if c.pull {
		o.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

// The kinds of reports, which the types do not fill in.
const (
	full      = "full"
	unchanged = "unchanged"
)

// diagnostic answers what is wrong with one document.
func diagnostic(_ context.Context, at *Snapshot, p *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	items := []protocol.Diagnostic{}
	if d := at.Documents[p.TextDocument.URI]; d != nil {
		items = at.said(d)
	}
	id, err := resultID(items)
	if err != nil {
		return nil, err
	}
	if p.PreviousResultID != nil && *p.PreviousResultID == id {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: unchanged, ResultID: id},
		}, nil
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{
		FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{Kind: full, ResultID: &id, Items: items},
	}, nil
}

// resultID names findings by what they say: the same ones have the same name in
// every session.
func resultID(items []protocol.Diagnostic) (string, error) {
	encoded, err := codec{}.Marshal(items)
	if err != nil {
		return "", fmt.Errorf("encode diagnostics: %w", err)
	}
	sum := fnv.New64a()
	sum.Write(encoded)
	return fmt.Sprintf("%d-%x", len(items), sum.Sum64()), nil
}
