package lsp

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
)

// about is the document that a question is about; nil if it is not open, or is
// not for us to say anything about.
func (at *Snapshot) about(u uri.URI) *Document {
	if d := at.Documents[u]; d != nil && d.Ours() {
		return d
	}
	return nil
}

// place is the document and the offset that a question is about.
func (at *Snapshot) place(p protocol.TextDocumentPositionParams) (d *Document, offset int) {
	if d = at.about(p.TextDocument.URI); d != nil {
		offset = d.Offset(fromPosition(p.Position), at.client.encoding)
	}
	return d, offset
}

// others are the client's files of ours besides a document, if there is one:
// those that it has open and those in its folders. Where tells which file each is.
// Those that cannot be analysed are left out; [Snapshot.said] tells of them.
func (at *Snapshot) others(d *Document) (all []*analysis.Analysis, where map[*analysis.Analysis]uri.URI) {
	where = map[*analysis.Analysis]uri.URI{}
	if d != nil {
		where[d.Analysis] = d.URI
	}
	for _, u := range at.everything(nil) {
		if d != nil && u == d.URI {
			continue
		}
		at.session.guarded(string(u), func() {
			var a *analysis.Analysis
			if open := at.about(u); open != nil {
				a = open.Analysis
			} else if at.Documents[u] == nil {
				a = at.session.shelf.analysis(at.session, u)
			}
			if a != nil && a.Recognised() {
				all = append(all, a)
				where[a] = u
			}
		})
	}
	return all, where
}
