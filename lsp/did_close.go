package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"
)

// didClose forgets a document, and takes back what was said of it.
func didClose(s *session, p *protocol.DidCloseTextDocumentParams) error {
	u := p.TextDocument.URI
	if s.now.Load().Documents[u] == nil {
		return fmt.Errorf("`%s` is not open", u)
	}
	s.update(func(next *Snapshot) {
		next.Documents = next.documents()
		delete(next.Documents, u)
	})
	s.coloured.forget(u)
	s.touch(u)
	return nil
}
