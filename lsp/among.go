package lsp

import (
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/lint"
)

// among holds the files of ours against each other. Of those that nobody has
// open it keeps the ids of their cases, and of the others what they were when
// they were last compared: most edits change no id.
type among struct {
	lock     sync.Mutex
	closed   map[uri.URI]caseIDs
	opened   map[uri.URI]*analysis.Analysis
	datasets []string // of those that are open
}

// caseIDs are the ids of a file on disk, none of one that is not ours, and what
// tells its text from another. One that cannot be of the dataset of any that is
// open is not analysed: a folder may have many large ones.
type caseIDs struct {
	lint.CaseIDs
	text  uint64
	apart bool
}

var textSeed = maphash.MakeSeed()

// compare has those documents shown anew of which the others change what is
// found; reread says that files that nobody has open may have changed. It
// reports whether there are any.
func (s *session) compare(reread bool) (changed bool) {
	m := &s.among
	m.lock.Lock()
	defer m.lock.Unlock()
	at := s.now.Load()
	opened := map[uri.URI]*analysis.Analysis{}
	for u, d := range at.Documents {
		s.guarded(string(u), func() {
			if u.IsFile() && d.Ours() {
				d.Dataset() // which a file that cannot be read in full does not have
				opened[u] = d.Analysis
			}
		})
	}
	sameIDs := func(a, b *analysis.Analysis) bool { return a.SameCaseIDs(b) }
	if asWas := maps.EqualFunc(opened, m.opened, sameIDs); asWas && !reread && len(at.elsewhere) == 0 { // else they may have moved
		return false
	}
	datasets := datasetsOf(opened)
	if reread || m.closed == nil || len(opened) != len(m.opened) || !slices.Equal(datasets, m.datasets) {
		m.datasets = datasets
		m.read(at)
	}
	m.opened = opened
	all := m.all()
	now := settle(all)
	s.update(func(next *Snapshot) { next.elsewhere, next.siblings = now, m.siblings(all) })
	for u := range opened {
		if !maps.EqualFunc(at.elsewhere[u], now[u], samePlace) {
			changed = true
			if !at.client.pull {
				s.publish.touch(u)
			}
		}
	}
	return changed
}

// read takes the ids of files that nobody has open.
func (m *among) read(at *Snapshot) {
	closed := map[uri.URI]caseIDs{}
	for _, u := range at.everything(nil) {
		read := at.session.disk.Read
		if at.Documents[u] != nil || !u.IsFile() || read == nil {
			continue
		}
		body, err := read(u.FsPath())
		if err != nil {
			continue // it went away, or cannot be read, and then has no say
		}
		ids, known := m.closed[u]
		text, apart := maphash.String(textSeed, body), !m.mayShare(u, body)
		if !known || ids.text != text || ids.apart && !apart {
			ids = caseIDs{text: text, apart: apart}
			if apart {
				closed[u] = ids
				continue
			}
			at.session.guarded(string(u), func() {
				if a := at.session.look(u).of(body); a.Recognised() {
					ids.CaseIDs = a.CaseIDs()
				}
			})
		}
		closed[u] = ids
	}
	m.closed = closed
}

// mayShare reports whether a file may be of the dataset of an open one: it is
// called so, or has its name in its text.
func (m *among) mayShare(u uri.URI, body string) bool {
	stem := path.Base(u.Path())
	return slices.Contains(m.datasets, strings.TrimSuffix(stem, path.Ext(stem))) ||
		slices.ContainsFunc(m.datasets, func(name string) bool { return strings.Contains(body, name) })
}

func datasetsOf(files map[uri.URI]*analysis.Analysis) (names []string) {
	for _, a := range files {
		name, _ := a.Dataset()
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// all are the ids of the cases of all files that have any.
func (m *among) all() map[uri.URI]lint.CaseIDs {
	all := map[uri.URI]lint.CaseIDs{}
	for u, ids := range m.closed {
		if m.opened[u] == nil && ids.Source != nil {
			all[u] = ids.CaseIDs
		}
	}
	for u, a := range m.opened {
		all[u] = a.CaseIDs()
	}
	return all
}

// siblings are, by open file, the ids of the cases of those that belong together
// with it.
func (m *among) siblings(all map[uri.URI]lint.CaseIDs) map[uri.URI][]string {
	found := map[uri.URI][]string{}
	for u := range m.opened {
		own := all[u]
		for other, ids := range all {
			if other != u && own.Together(&ids) {
				found[u] = append(found[u], ids.Names()...)
			}
		}
		slices.Sort(found[u])
	}
	return found
}

// settle finds the ids that several files have, by the file that is told.
func settle(all map[uri.URI]lint.CaseIDs) map[uri.URI]lint.Elsewhere {
	files := slices.SortedFunc(maps.Keys(all), func(a, b uri.URI) int { return strings.Compare(string(a), string(b)) })
	var ids []lint.CaseIDs
	for _, u := range files {
		ids = append(ids, all[u])
	}
	found := map[uri.URI]lint.Elsewhere{}
	for i, others := range lint.DuplicateCaseIDs(ids) {
		if len(others) > 0 {
			found[files[i]] = others
		}
	}
	return found
}

func samePlace(a, b lint.Occurrence) bool {
	return a.Dataset == b.Dataset && a.Span == b.Span && a.Source.Name == b.Source.Name
}
