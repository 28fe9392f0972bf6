package lsp

import (
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
)

// findings are what is said of a document, by itself and among the others.
func (at *Snapshot) findings(d *Document) []diag.Diagnostic {
	if !d.Ours() {
		return nil
	}
	return d.Among(at.elsewhere[d.URI])
}

// compare holds the files of ours against each other and has those shown anew
// of which that changes what is found. It reports whether there are any.
func (s *session) compare(reread bool) (changed bool) {
	s.apart.Lock()
	defer s.apart.Unlock()
	at := s.now.Load()
	files := at.everything(nil)
	slices.SortFunc(files, func(a, b uri.URI) int { return strings.Compare(string(a), string(b)) })
	s.apart.check(at.datasets(), reread)
	var ours []uri.URI
	var ids []lint.CaseIDs
	for _, u := range files {
		if a := at.analysis(u, reread); a != nil && u.IsFile() {
			ours, ids = append(ours, u), append(ids, a.CaseIDs())
		}
	}
	now := map[uri.URI]lint.Elsewhere{}
	for i, others := range lint.DuplicateCaseIDs(ids) {
		if len(others) > 0 {
			now[ours[i]] = others
		}
	}
	s.update(func(next *Snapshot) { next.elsewhere = now })
	for _, u := range ours {
		if !maps.EqualFunc(at.elsewhere[u], now[u], samePlace) {
			changed = true
			if at.Documents[u] != nil && !at.client.pull {
				s.publish.touch(u)
			}
		}
	}
	return changed
}

func samePlace(a, b lint.Occurrence) bool {
	return a.Dataset == b.Dataset && a.Span == b.Span && a.Source.Name == b.Source.Name
}

// datasets are those of the open documents.
func (at *Snapshot) datasets() (names []string) {
	for u := range at.Documents {
		if d := at.about(u); d != nil {
			names = append(names, d.CaseIDs().Dataset)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// analysis is that of a file of ours that may be of the dataset of an open one;
// nil if it is none. One that nobody has open is read again only where that is
// asked for, or it never was.
func (at *Snapshot) analysis(u uri.URI, reread bool) *analysis.Analysis {
	if at.Documents[u] != nil {
		if d := at.about(u); d != nil {
			return d.Analysis
		}
		return nil
	}
	if at.session.apart.has(at.session, u) {
		return nil
	}
	a := at.session.shelf.kept(u)
	if a == nil || reread {
		a = at.session.shelf.analysis(at.session, u)
	}
	if a == nil || !a.Recognised() {
		return nil
	}
	return a
}
