package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"
)

// didChange makes a document's next version.
func didChange(s *session, p *protocol.DidChangeTextDocumentParams) error {
	at := s.now.Load()
	d := at.Documents[p.TextDocument.URI]
	if d == nil {
		return fmt.Errorf("`%s` is not open", p.TextDocument.URI)
	}
	d = d.edited(p.TextDocument.Version, p.ContentChanges, at.client.encoding)
	s.update(func(next *Snapshot) {
		next.Documents = next.documents()
		next.Documents[d.URI] = d
	})
	s.touch(d.URI)
	return nil
}
