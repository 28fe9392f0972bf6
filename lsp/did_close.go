package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"
)

// didClose forgets a document, and takes back what was said of it.
func didClose(s *session, p *protocol.DidCloseTextDocumentParams) error {
	u := p.TextDocument.URI
	if s.snapshot.Load().Documents[u] == nil {
		return fmt.Errorf("`%s` is not open", u)
	}
	s.update(func(next *snapshot) {
		next.Documents = next.cloneDocuments()
		delete(next.Documents, u)
	})
	s.tokens.remove(u)
	s.scheduleDiagnostics(u)
	return nil
}
