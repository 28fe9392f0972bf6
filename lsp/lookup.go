package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
)

// evalDocument is the document that a question is about; nil if it is not open, or is
// not for us to say anything about.
func (s *snapshot) evalDocument(u uri.URI) *document {
	if d := s.Documents[u]; d != nil && d.isEvalFile() {
		return d
	}
	return nil
}

// documentAt is the document and the offset that a question is about.
func (s *snapshot) documentAt(p protocol.TextDocumentPositionParams) (d *document, offset int) {
	if d = s.evalDocument(p.TextDocument.URI); d != nil {
		offset = d.Offset(fromPosition(p.Position), s.client.encoding)
	}
	return d, offset
}

// otherFiles are the client's files of ours besides a document, if there is one:
// those that it has open and those in its folders. Where tells which file each is.
// Those that cannot be analysed are left out; [Snapshot.said] tells of them.
func (s *snapshot) otherFiles(d *document) (files []*analysis.Analysis, uris map[*analysis.Analysis]uri.URI) {
	uris = map[*analysis.Analysis]uri.URI{}
	if d != nil {
		uris[d.Analysis] = d.URI
	}
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
				files = append(files, a)
				uris[a] = u
			}
		})
	}
	return files, uris
}
