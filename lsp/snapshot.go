package lsp

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
)

// snapshot is the state of a session at one moment. It is immutable.
type snapshot struct {
	Documents map[uri.URI]*document // the open documents
	Folders   []protocol.WorkspaceFolder
	// Severities are the client's rule severities by rule id; 0 disables a rule.
	Severities  map[string]diag.Severity
	RunSettings run.Settings // set by the client

	session    *session
	client     *client
	duplicates map[uri.URI]lint.Duplicates // case ids that other files define too
	siblingIDs map[uri.URI][]string        // case ids of other files in the same dataset
}

// update replaces the snapshot by a changed copy. Notifications call it one at a time; the lock is
// for client answers that arrive meanwhile.
func (s *session) update(change func(next *snapshot)) {
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	next := *s.snapshot.Load()
	change(&next)
	s.snapshot.Store(&next)
}

// setDocument adds a document or replaces its previous version.
func (s *session) setDocument(d *document) {
	s.update(func(next *snapshot) {
		next.Documents = maps.Clone(next.Documents)
		next.Documents[d.URI] = d
	})
}

// displayPath returns a file's path in its workspace folder, with slashes, or else its name.
func (s *snapshot) displayPath(u uri.URI) string {
	for _, f := range s.Folders {
		if below, ok := strings.CutPrefix(string(u), strings.TrimSuffix(string(f.URI), "/")+"/"); ok {
			if path, err := url.PathUnescape(below); err == nil {
				return path
			}
		}
	}
	return uri.Basename(u)
}

// evalDocument returns an open eval file, or nil if the document is not open or not an eval file.
func (s *snapshot) evalDocument(u uri.URI) *document {
	if d := s.Documents[u]; d != nil && d.isEvalFile() {
		return d
	}
	return nil
}

// openEvalFile is evalDocument with an error for the user.
func (s *snapshot) openEvalFile(u uri.URI) (*document, error) {
	if d := s.evalDocument(u); d != nil {
		return d, nil
	}
	return nil, requestFailed(fmt.Errorf("`%s` is not open or is not an eval file", u))
}

// otherFiles returns the workspace's eval files other than d, open or on disk. It leaves out files
// that cannot be analysed; their diagnostics say why.
func (s *snapshot) otherFiles(d *document) (files []*ide.File) {
	for _, u := range s.workspaceFiles(nil) {
		if d != nil && u == d.URI {
			continue
		}
		s.session.guardPanic(string(u), func() {
			var a *analysis.Analysis
			if open := s.evalDocument(u); open != nil {
				a = open.Analysis
			} else if s.Documents[u] == nil {
				a = s.session.closedFiles.analysis(s.session, u)
			}
			if a != nil && a.Recognised() {
				files = append(files, s.file(u, a))
			}
		})
	}
	return files
}
