package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
)

// didChange makes a document's next version.
func didChange(s *session, p *protocol.DidChangeTextDocumentParams) error {
	at := s.now.Load()
	d := at.Documents[p.TextDocument.URI]
	if d == nil {
		return fmt.Errorf("`%s` is not open", p.TextDocument.URI)
	}
	body := strings.Clone(d.edited(p.ContentChanges, at.client.encoding))
	d = d.next(p.TextDocument.Version, body, s.lookAt(d.URI))
	s.update(func(next *Snapshot) {
		next.Documents = next.documents()
		next.Documents[d.URI] = d
	})
	s.touch(d.URI)
	return nil
}
