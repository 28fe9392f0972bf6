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

// workspaceIndex holds the files of ours against each other. Of those that nobody has
// open it keeps the ids of their cases, and of the others what they were when
// they were last compared: most edits change no id.
type workspaceIndex struct {
	mu       sync.Mutex
	closed   map[uri.URI]indexedFile
	opened   map[uri.URI]*analysis.Analysis
	datasets []string // of those that are open
}

// indexedFile are the ids of a file on disk, none of one that is not ours, and what
// tells its text from another. One that cannot be of the dataset of any that is
// open is not analysed: a folder may have many large ones.
type indexedFile struct {
	lint.CaseIDs
	textHash  uint64
	unrelated bool
}

var hashSeed = maphash.MakeSeed()

// updateIndex has those documents shown anew of which the others change what is
// found; reread says that files that nobody has open may have changed. It
// reports whether there are any.
func (s *session) updateIndex(reread bool) (changed bool) {
	wi := &s.index
	wi.mu.Lock()
	defer wi.mu.Unlock()
	snap := s.snapshot.Load()
	opened := map[uri.URI]*analysis.Analysis{}
	for u, d := range snap.Documents {
		s.guardPanic(string(u), func() {
			if u.IsFile() && d.isEvalFile() {
				d.Dataset() // which a file that cannot be read in full does not have
				opened[u] = d.Analysis
			}
		})
	}
	sameIDs := func(a, b *analysis.Analysis) bool { return a.HasSameCaseIDs(b) }
	if unchanged := maps.EqualFunc(opened, wi.opened, sameIDs); unchanged && !reread && len(snap.duplicates) == 0 { // else they may have moved
		return false
	}
	datasets := datasetNames(opened)
	if reread || wi.closed == nil || len(opened) != len(wi.opened) || !slices.Equal(datasets, wi.datasets) {
		wi.datasets = datasets
		wi.indexClosed(snap)
	}
	wi.opened = opened
	ids := wi.allCaseIDs()
	duplicates := findDuplicates(ids)
	s.update(func(next *snapshot) { next.duplicates, next.siblingIDs = duplicates, wi.siblingIDs(ids) })
	for u := range opened {
		if !maps.EqualFunc(snap.duplicates[u], duplicates[u], sameOccurrence) {
			changed = true
			if !snap.client.pullsDiagnostics {
				s.publisher.enqueue(u)
			}
		}
	}
	return changed
}

// indexClosed takes the ids of files that nobody has open.
func (wi *workspaceIndex) indexClosed(s *snapshot) {
	closed := map[uri.URI]indexedFile{}
	for _, u := range s.workspaceFiles(nil) {
		readFile := s.session.disk.ReadFile
		if s.Documents[u] != nil || !u.IsFile() || readFile == nil {
			continue
		}
		body, err := readFile(u.FsPath())
		if err != nil {
			continue // it went away, or cannot be read, and then has no say
		}
		entry, known := wi.closed[u]
		hash, unrelated := maphash.String(hashSeed, body), !wi.mayShareDataset(u, body)
		if !known || entry.textHash != hash || entry.unrelated && !unrelated {
			entry = indexedFile{textHash: hash, unrelated: unrelated}
			if unrelated {
				closed[u] = entry
				continue
			}
			s.session.guardPanic(string(u), func() {
				if a := s.session.loadDependencies(u).analyse(body); a.Recognised() {
					entry.CaseIDs = a.CaseIDs()
				}
			})
		}
		closed[u] = entry
	}
	wi.closed = closed
}

// mayShareDataset reports whether a file may be of the dataset of an open one: it is
// called so, or has its name in its text.
func (wi *workspaceIndex) mayShareDataset(u uri.URI, body string) bool {
	base := path.Base(u.Path())
	return slices.Contains(wi.datasets, strings.TrimSuffix(base, path.Ext(base))) ||
		slices.ContainsFunc(wi.datasets, func(name string) bool { return strings.Contains(body, name) })
}

func datasetNames(files map[uri.URI]*analysis.Analysis) (names []string) {
	for _, a := range files {
		name, _ := a.Dataset()
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// allCaseIDs are the ids of the cases of all files that have any.
func (wi *workspaceIndex) allCaseIDs() map[uri.URI]lint.CaseIDs {
	all := map[uri.URI]lint.CaseIDs{}
	for u, ids := range wi.closed {
		if wi.opened[u] == nil && ids.Source != nil {
			all[u] = ids.CaseIDs
		}
	}
	for u, a := range wi.opened {
		all[u] = a.CaseIDs()
	}
	return all
}

// siblingIDs are, by open file, the ids of the cases of those that belong together
// with it.
func (wi *workspaceIndex) siblingIDs(all map[uri.URI]lint.CaseIDs) map[uri.URI][]string {
	found := map[uri.URI][]string{}
	for u := range wi.opened {
		own := all[u]
		for other, ids := range all {
			if other != u && own.SharesDataset(&ids) {
				found[u] = append(found[u], ids.UniqueIDs()...)
			}
		}
		slices.Sort(found[u])
	}
	return found
}

// findDuplicates finds the ids that several files have, by the file that is told.
func findDuplicates(all map[uri.URI]lint.CaseIDs) map[uri.URI]lint.Duplicates {
	files := slices.SortedFunc(maps.Keys(all), func(a, b uri.URI) int { return strings.Compare(string(a), string(b)) })
	var entries []lint.CaseIDs
	for _, u := range files {
		entries = append(entries, all[u])
	}
	found := map[uri.URI]lint.Duplicates{}
	for i, others := range lint.FindDuplicateCaseIDs(entries) {
		if len(others) > 0 {
			found[files[i]] = others
		}
	}
	return found
}

func sameOccurrence(a, b lint.Occurrence) bool {
	return a.Dataset == b.Dataset && a.Span == b.Span && a.Source.Name == b.Source.Name
}
