package lsp

import (
	"maps"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// Snapshot is what a session knows at one moment. It never changes.
type Snapshot struct {
	Documents map[uri.URI]*Document // those that the client has open
	Folders   []protocol.WorkspaceFolder
	// Severities are the client's settings: of rules, by their id; 0 turns a rule
	// off.
	Severities map[string]diag.Severity
	Running    Running // the client's settings, too

	session   *session
	client    *client
	elsewhere map[uri.URI]lint.Elsewhere // ids of files' cases that other files have
	siblings  map[uri.URI][]string       // ids of the cases of files that belong together with one
}

// documents is a copy of the snapshot's documents to change.
func (at *Snapshot) documents() map[uri.URI]*Document {
	if at.Documents == nil {
		return map[uri.URI]*Document{}
	}
	return maps.Clone(at.Documents)
}

// update puts a changed copy of the snapshot in its place. Notifications do so
// one at a time; the lock is for what clients answer meanwhile.
func (s *session) update(change func(next *Snapshot)) {
	s.updating.Lock()
	defer s.updating.Unlock()
	next := *s.now.Load()
	change(&next)
	s.now.Store(&next)
}
