package lsp

import "go.lsp.dev/protocol"

// didSave has what lies beside looked at again: the saved file may be one that
// others refer to.
func didSave(s *session, _ *protocol.DidSaveTextDocumentParams) error {
	s.reloadTimer.Reset(s.server.quiet())
	return nil
}
