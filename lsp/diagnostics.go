package lsp

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// encodeReport encodes a diagnostic report and returns its result id. The report says unchanged if
// previousID is the same. The id is a hash: the same list has the same id in every session.
func encodeReport(list []ide.Finding, previousID string) (report []byte, id string) {
	items := transport.Encode(list)
	sum := fnv.New64a()
	sum.Write(items)
	id = fmt.Sprintf("%x-%x", len(items), sum.Sum64())
	if id == previousID {
		return fmt.Appendf(nil, `{"kind":"unchanged","resultId":%q}`, id), id
	}
	out := fmt.Appendf(make([]byte, 0, len(items)+60), `{"kind":"full","resultId":%q,"items":`, id)
	out = append(out, items...)
	return append(out, '}'), id
}

// addFile adds the file's URI and version to a report. A closed file has no version.
func addFile(report []byte, u uri.URI, version *int32) []byte {
	return fmt.Appendf(report[:len(report)-1], `,"uri":%s,"version":%s}`, transport.Encode(protocol.String(u)), transport.Encode(version))
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
	report, _ := encodeReport(list, generic.OrZero(p.PreviousResultID))
	return report, nil
}

// reportBatchSize is how many reports are sent as one partial result.
const reportBatchSize = 20

// workspaceDiagnostic returns the diagnostics of every eval file in the workspace, open or on disk.
// A client that accepts partial results asks again at once, so its request waits until something
// has changed.
func workspaceDiagnostic(ctx context.Context, s *snapshot, p *protocol.WorkspaceDiagnosticParams) (jsonrpc2.RawMessage, error) {
	previousIDs := map[uri.URI]string{}
	for _, r := range p.PreviousResultIds {
		previousIDs[r.URI] = r.Value
	}
	for sess := s.session; ; {
		changed := sess.Changes.Wait() // before the snapshot, so that no change is missed
		s = sess.snapshot()
		batch := &reportBatch{client: s.Client, token: p.PartialResultToken}
		for _, u := range s.WorkspaceFiles(previousIDs) {
			if ctx.Err() != nil {
				return nil, protocol.ErrRequestCancelled
			}
			s.addReport(u, previousIDs, batch)
		}
		if batch.hasNews || p.PartialResultToken == nil || len(previousIDs) == 0 || sess.phase.Load() == phaseStopping {
			return batch.finish(), nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, protocol.ErrRequestCancelled
		}
	}
}

// reportBatch collects reports, and sends them as partial results if the client gave a token.
type reportBatch struct {
	client  *cache.Client
	token   protocol.ProgressToken
	items   [][]byte
	hasNews bool // a report has changed
}

func (rb *reportBatch) add(report []byte, news bool) {
	rb.items = append(rb.items, report)
	rb.hasNews = rb.hasNews || news
	if rb.token != nil && rb.hasNews && len(rb.items) >= reportBatchSize {
		rb.client.SendProgress(rb.token, jsonrpc2.RawMessage(rb.flush()))
	}
}

// finish returns the rest of the reports. With a token it sends them and returns an empty result.
func (rb *reportBatch) finish() jsonrpc2.RawMessage {
	if rb.token != nil && len(rb.items) > 0 {
		rb.client.SendProgress(rb.token, jsonrpc2.RawMessage(rb.flush()))
	}
	return rb.flush()
}

// flush encodes and removes the collected reports.
func (rb *reportBatch) flush() []byte {
	answer := append([]byte(`{"items":[`), bytes.Join(rb.items, []byte(","))...)
	rb.items = nil
	return append(answer, `]}`...)
}

// addReport adds the report of one file, unless it is not an eval file and has no previous report.
func (s *snapshot) addReport(u uri.URI, previousIDs map[uri.URI]string, batch *reportBatch) {
	var list []ide.Finding
	var version *int32
	var isEvalFile bool
	if d := s.Documents[u]; d != nil {
		version = &d.Version
		list, isEvalFile = s.Diagnostics(d)
	} else {
		list, isEvalFile = s.ClosedFileDiagnostics(u)
	}
	previousID, reported := previousIDs[u]
	if !isEvalFile && !reported {
		return
	}
	report, id := encodeReport(list, previousID)
	batch.add(addFile(report, u, version), id != previousID)
}
