package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func offerTextSync(o *protocol.ServerCapabilities, _ *client) {
	enabled, kind := true, protocol.TextDocumentSyncKindIncremental
	o.TextDocumentSync = &protocol.TextDocumentSyncOptions{OpenClose: &enabled, Change: &kind, Save: &protocol.SaveOptions{}}
}

// didOpen takes a document in. One that is open already is opened anew.
func didOpen(s *session, p *protocol.DidOpenTextDocumentParams) error {
	u := uri.URI(strings.Clone(string(p.TextDocument.URI)))
	d := newDocument(u, p.TextDocument.Version, strings.Clone(p.TextDocument.Text), s.loadDependencies(u))
	s.update(func(next *snapshot) {
		next.Documents = next.cloneDocuments()
		next.Documents[u] = d
	})
	s.scheduleDiagnostics(u)
	return nil
}
