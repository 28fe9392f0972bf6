package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"
)

// didChange makes a document's next version.
func didChange(s *session, p *protocol.DidChangeTextDocumentParams) error {
	snap := s.snapshot.Load()
	d := snap.Documents[p.TextDocument.URI]
	if d == nil {
		return fmt.Errorf("`%s` is not open", p.TextDocument.URI)
	}
	d = d.applyChanges(p.TextDocument.Version, p.ContentChanges, snap.client.encoding)
	s.update(func(next *snapshot) {
		next.Documents = next.cloneDocuments()
		next.Documents[d.URI] = d
	})
	s.scheduleDiagnostics(d.URI)
	return nil
}
