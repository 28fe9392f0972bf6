package lsp

import "go.lsp.dev/protocol"

// didChangeWatchedFiles has what lies beside open documents looked at again,
// once the changes are over: a branch that is checked out changes thousands.
func didChangeWatchedFiles(s *session, _ *protocol.DidChangeWatchedFilesParams) error {
	s.filesChanged.Store(true)
	s.reloadTimer.Reset(s.server.quiet())
	return nil
}
