package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func offerSync(o *protocol.ServerCapabilities, _ *client) {
	yes, kind := true, protocol.TextDocumentSyncKindIncremental
	o.TextDocumentSync = &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &kind, Save: &protocol.SaveOptions{}}
}

// didOpen takes a document in. One that is open already is opened anew.
func didOpen(s *session, p *protocol.DidOpenTextDocumentParams) error {
	u := uri.URI(strings.Clone(string(p.TextDocument.URI)))
	d := open(u, p.TextDocument.Version, strings.Clone(p.TextDocument.Text), s.look(u))
	s.update(func(next *Snapshot) {
		next.Documents = next.documents()
		next.Documents[u] = d
	})
	s.touch(u)
	return nil
}
