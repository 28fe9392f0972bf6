package lsp

import (
	"context"
	"fmt"
	"hash/fnv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// Kinds of reports.
const (
	reportFull      = "full"
	reportUnchanged = "unchanged"
)

// encodeReport encodes a diagnostic report and returns its result id. The report says unchanged if
// previousID is the same.
func encodeReport(list []ide.Finding, previousID string) (report []byte, id string) {
	items := transport.Encode(list)
	id = resultID(items)
	if id == previousID {
		return fmt.Appendf(nil, `{"kind":%q,"resultId":%q}`, reportUnchanged, id), id
	}
	out := fmt.Appendf(make([]byte, 0, len(items)+60), `{"kind":%q,"resultId":%q,"items":`, reportFull, id)
	out = append(out, items...)
	return append(out, '}'), id
}

// addFile adds the file's URI and version to a report. A closed file has no version.
func addFile(report []byte, u uri.URI, version *int32) []byte {
	out := fmt.Appendf(report[:len(report)-1], `,"uri":%s,"version":`, transport.Encode(protocol.String(u)))
	if version == nil {
		return append(out, `null}`...)
	}
	return fmt.Appendf(out, `%d}`, *version)
}

// resultID hashes a list of diagnostics. The same list has the same id in every session.
func resultID(items []byte) string {
	sum := fnv.New64a()
	sum.Write(items)
	return fmt.Sprintf("%x-%x", len(items), sum.Sum64())
}

// offerDiagnostics offers pull diagnostics. A client that pulls gets no pushed diagnostics, because
// it would show both.
func offerDiagnostics(o *protocol.ServerCapabilities, c *cache.Client) {
	if c.PullsDiagnostics {
		o.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

func diagnostic(_ context.Context, s *snapshot, p *protocol.DocumentDiagnosticParams) (jsonrpc2.RawMessage, error) {
	list := []ide.Finding{}
	if d := s.Documents[p.TextDocument.URI]; d != nil {
		list, _ = s.Diagnostics(d)
	}
	previousID := ""
	if p.PreviousResultID != nil {
		previousID = *p.PreviousResultID
	}
	report, _ := encodeReport(list, previousID)
	return report, nil
}
