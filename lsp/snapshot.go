package lsp

import (
	"maps"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// snapshot is what a session knows at one moment. It never changes.
type snapshot struct {
	Documents map[uri.URI]*document // those that the client has open
	Folders   []protocol.WorkspaceFolder
	// Severities are the client's settings: of rules, by their id; 0 turns a rule
	// off.
	Severities  map[string]diag.Severity
	RunSettings RunSettings // the client's settings, too

	session    *session
	client     *client
	duplicates map[uri.URI]lint.Duplicates // ids of files' cases that other files have
	siblingIDs map[uri.URI][]string        // ids of the cases of files that belong together with one
}

// cloneDocuments is a copy of the snapshot's documents to change.
func (s *snapshot) cloneDocuments() map[uri.URI]*document {
	if s.Documents == nil {
		return map[uri.URI]*document{}
	}
	return maps.Clone(s.Documents)
}

// update puts a changed copy of the snapshot in its place. Notifications do so
// one at a time; the lock is for what clients answer meanwhile.
func (s *session) update(change func(next *snapshot)) {
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	next := *s.snapshot.Load()
	change(&next)
	s.snapshot.Store(&next)
}
