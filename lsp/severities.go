package lsp

import (
	"maps"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
)

// severities are those that hold for a document: the client's settings win over
// the project's, as flags do on the command line.
func (s *session) severities(u uri.URI) map[string]diag.Severity {
	mine := s.now.Load().Severities
	if s.disk.Severities == nil || !u.IsFile() {
		return mine
	}
	all, err := s.disk.Severities(u.FsPath())
	if err != nil {
		s.log("%v", err)
	}
	if len(mine) == 0 {
		return all
	}
	all = maps.Clone(all)
	if all == nil {
		all = map[string]diag.Severity{}
	}
	maps.Copy(all, mine)
	return all
}
