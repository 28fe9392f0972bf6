package lsp

import (
	"bytes"
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// atOnce is how many reports are sent in one piece to a client that takes them
// in pieces.
const atOnce = 20

// workspaceDiagnostic answers what is wrong with every file of ours in the
// client's folders, as it has them open or as they are on disk. A client that takes
// answers in pieces asks again as soon as it has one: it gets it when there is
// something new.
func workspaceDiagnostic(ctx context.Context, at *Snapshot, p *protocol.WorkspaceDiagnosticParams) (jsonrpc2.RawMessage, error) {
	known := map[uri.URI]string{}
	for _, r := range p.PreviousResultIds {
		known[r.URI] = r.Value
	}
	for s := at.session; ; at = s.now.Load() {
		stirred := s.stirred.next()
		reports := &reports{client: at.client, token: p.PartialResultToken}
		for _, u := range at.everything(known) {
			if ctx.Err() != nil {
				return nil, protocol.ErrRequestCancelled
			}
			at.reportOn(u, known, reports)
		}
		if reports.news || p.PartialResultToken == nil || len(known) == 0 || s.phase.Load() == stopping {
			return reports.end(), nil
		}
		select {
		case <-stirred:
		case <-ctx.Done():
			return nil, protocol.ErrRequestCancelled
		}
	}
}

// reports are reports on files, sent in pieces where there is a token for them.
type reports struct {
	client *client
	token  protocol.ProgressToken
	items  [][]byte
	news   bool // one of them says something new
}

func (r *reports) add(report []byte, news bool) {
	r.items = append(r.items, report)
	r.news = r.news || news
	if r.token != nil && r.news && len(r.items) >= atOnce {
		r.client.progress(r.token, jsonrpc2.RawMessage(r.take()))
	}
}

// end is the answer, which is empty if everything has been sent in pieces.
func (r *reports) end() jsonrpc2.RawMessage {
	if r.token != nil && len(r.items) > 0 {
		r.client.progress(r.token, jsonrpc2.RawMessage(r.take()))
	}
	return r.take()
}

// take is what there is, which is taken out.
func (r *reports) take() []byte {
	answer := append([]byte(`{"items":[`), bytes.Join(r.items, []byte(","))...)
	r.items = nil
	return append(answer, `]}`...)
}

// everything are the files to report on: those in the folders, open ones, and
// those that were reported on before, which may be gone.
func (at *Snapshot) everything(known map[uri.URI]string) (all []uri.URI) {
	seen := map[uri.URI]bool{}
	take := func(u uri.URI) {
		if !seen[u] {
			seen[u] = true
			all = append(all, u)
		}
	}
	var folders []string
	for _, f := range at.Folders {
		if f.URI.IsFile() {
			folders = append(folders, f.URI.FsPath())
		}
	}
	if files := at.session.disk.Files; files != nil && len(folders) > 0 {
		for _, path := range files(folders) {
			take(uri.File(path))
		}
	}
	for u := range at.Documents {
		take(u)
	}
	for u := range known {
		take(u)
	}
	return all
}

// reportOn adds the report on one file, unless there is nothing to say of it and
// nothing was.
func (at *Snapshot) reportOn(u uri.URI, known map[uri.URI]string, to *reports) {
	var list []byte
	var version *int32
	var ours bool
	if d := at.Documents[u]; d != nil {
		version = &d.Version
		list, ours = at.said(d)
	} else {
		list, ours = at.saidAside(u)
	}
	before, reported := known[u]
	if !ours && !reported {
		return
	}
	answer, id := pulled(list, before)
	to.add(ofFile(answer, u, version), id != before)
}

// progress sends a piece of an answer.
func (c *client) progress(token protocol.ProgressToken, piece any) {
	if encoded, err := (codec{}).Marshal(piece); err == nil {
		c.notify(protocol.MethodProgress, &protocol.ProgressParams{Token: token, Value: encoded})
	}
}
