package lsp

import (
	"maps"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
)

// severities are those that hold for a document: the client's settings win over
// the project's, as flags do on the command line.
func (s *session) severities(u uri.URI) map[string]diag.Severity {
	fromClient := s.snapshot.Load().Severities
	if s.disk.Severities == nil || !u.IsFile() {
		return fromClient
	}
	severities, err := s.disk.Severities(u.FsPath())
	if err != nil {
		s.log("%v", err)
	}
	if len(fromClient) == 0 {
		return severities
	}
	severities = maps.Clone(severities)
	if severities == nil {
		severities = map[string]diag.Severity{}
	}
	maps.Copy(severities, fromClient)
	return severities
}
