package lsp

import (
	"bytes"
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// reportBatchSize is how many reports are sent in one piece to a client that takes them
// in pieces.
const reportBatchSize = 20

// workspaceDiagnostic answers what is wrong with every file of ours in the
// client's folders, as it has them open or as they are on disk. A client that takes
// answers in pieces asks again as soon as it has one: it gets it when there is
// something new.
func workspaceDiagnostic(ctx context.Context, s *snapshot, p *protocol.WorkspaceDiagnosticParams) (jsonrpc2.RawMessage, error) {
	previousIDs := map[uri.URI]string{}
	for _, r := range p.PreviousResultIds {
		previousIDs[r.URI] = r.Value
	}
	for sess := s.session; ; s = sess.snapshot.Load() {
		changed := sess.changes.wait()
		batch := &reportBatch{client: s.client, token: p.PartialResultToken}
		for _, u := range s.workspaceFiles(previousIDs) {
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

// reportBatch are reports on files, sent in pieces where there is a token for them.
type reportBatch struct {
	client  *client
	token   protocol.ProgressToken
	items   [][]byte
	hasNews bool // one of them says something new
}

func (rb *reportBatch) add(report []byte, news bool) {
	rb.items = append(rb.items, report)
	rb.hasNews = rb.hasNews || news
	if rb.token != nil && rb.hasNews && len(rb.items) >= reportBatchSize {
		rb.client.sendProgress(rb.token, jsonrpc2.RawMessage(rb.flush()))
	}
}

// finish is the answer, which is empty if everything has been sent in pieces.
func (rb *reportBatch) finish() jsonrpc2.RawMessage {
	if rb.token != nil && len(rb.items) > 0 {
		rb.client.sendProgress(rb.token, jsonrpc2.RawMessage(rb.flush()))
	}
	return rb.flush()
}

// flush is what there is, which is taken out.
func (rb *reportBatch) flush() []byte {
	answer := append([]byte(`{"items":[`), bytes.Join(rb.items, []byte(","))...)
	rb.items = nil
	return append(answer, `]}`...)
}

// workspaceFiles are the files to report on: those in the folders, open ones, and
// those that were reported on before, which may be gone.
func (s *snapshot) workspaceFiles(previousIDs map[uri.URI]string) (all []uri.URI) {
	seen := map[uri.URI]bool{}
	add := func(u uri.URI) {
		if !seen[u] {
			seen[u] = true
			all = append(all, u)
		}
	}
	var folders []string
	for _, f := range s.Folders {
		if f.URI.IsFile() {
			folders = append(folders, f.URI.FsPath())
		}
	}
	if files := s.session.disk.EvalFiles; files != nil && len(folders) > 0 {
		for _, path := range files(folders) {
			add(uri.File(path))
		}
	}
	for u := range s.Documents {
		add(u)
	}
	for u := range previousIDs {
		add(u)
	}
	return all
}

// addReport adds the report on one file, unless there is nothing to say of it and
// nothing was.
func (s *snapshot) addReport(u uri.URI, previousIDs map[uri.URI]string, batch *reportBatch) {
	var items []byte
	var version *int32
	var isEvalFile bool
	if d := s.Documents[u]; d != nil {
		version = &d.Version
		items, isEvalFile = s.diagnosticsJSON(d)
	} else {
		items, isEvalFile = s.closedFileDiagnostics(u)
	}
	previousID, reported := previousIDs[u]
	if !isEvalFile && !reported {
		return
	}
	report, id := encodeReport(items, previousID)
	batch.add(addFile(report, u, version), id != previousID)
}

// sendProgress sends a piece of an answer.
func (c *client) sendProgress(token protocol.ProgressToken, value any) {
	if encoded, err := (codec{}).Marshal(value); err == nil {
		c.notify(protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: encoded})
	}
}
