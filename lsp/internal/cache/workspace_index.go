package cache

import (
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
)

// workspaceIndex finds case ids that occur in several eval files. It stores only the ids of closed
// files, and the analyses of open files as of the last comparison, because most edits change no id.
type workspaceIndex struct {
	mu       sync.Mutex
	closed   map[uri.URI]indexedFile
	opened   map[uri.URI]*analysis.Analysis
	datasets []string // datasets of the open files, sorted
}

// indexedFile holds the case ids of a closed file and a hash of its text. Source is nil if the file
// is not an eval file. A file that cannot share a dataset with an open file is not analysed,
// because a folder may hold many large files.
type indexedFile struct {
	lint.CaseIDs
	textHash  uint64
	unrelated bool
}

var hashSeed = maphash.MakeSeed()

// update finds the ids that open files share with other files, and returns the documents whose
// duplicates changed. Set reread if closed files may have changed. Store adds what it found to the
// snapshot.
func (wi *workspaceIndex) update(snap *Snapshot, reread bool, store func(duplicates map[uri.URI]lint.Duplicates, siblingIDs map[uri.URI][]string)) (changed []uri.URI) {
	wi.mu.Lock()
	defer wi.mu.Unlock()
	opened := map[uri.URI]*analysis.Analysis{}
	for u, d := range snap.Documents {
		snap.shared.GuardPanic(string(u), func() {
			if u.IsFile() && d.IsEvalFile() {
				d.Dataset() // panics here if the file cannot be analysed
				opened[u] = d.Analysis
			}
		})
	}
	sameIDs := func(a, b *analysis.Analysis) bool { return a.HasSameCaseIDs(b) }
	if unchanged := maps.EqualFunc(opened, wi.opened, sameIDs); unchanged && !reread && len(snap.duplicates) == 0 { // duplicates may have moved
		wi.opened = opened // the versions before can be freed
		return nil
	}
	datasets := datasetNames(opened)
	if reread || wi.closed == nil || len(opened) != len(wi.opened) || !slices.Equal(datasets, wi.datasets) {
		wi.datasets = datasets
		wi.indexClosed(snap)
	}
	wi.opened = opened
	ids := wi.allCaseIDs()
	duplicates := findDuplicates(ids)
	store(duplicates, wi.siblingIDs(ids))
	for u := range opened {
		if !maps.EqualFunc(snap.duplicates[u], duplicates[u], sameOccurrence) {
			changed = append(changed, u)
		}
	}
	return changed
}

// indexClosed reads the case ids of all closed files in the workspace.
func (wi *workspaceIndex) indexClosed(s *Snapshot) {
	closed := map[uri.URI]indexedFile{}
	for _, u := range s.WorkspaceFiles(nil) {
		readFile := s.shared.disk.ReadFile
		if s.Documents[u] != nil || !u.IsFile() || readFile == nil {
			continue
		}
		body, err := readFile(u.FsPath())
		if err != nil {
			continue // deleted or unreadable: it takes no part
		}
		entry, known := wi.closed[u]
		hash, unrelated := maphash.String(hashSeed, body), !wi.mayShareDataset(u, body)
		if !known || entry.textHash != hash || entry.unrelated && !unrelated {
			entry = indexedFile{textHash: hash, unrelated: unrelated}
			if unrelated {
				closed[u] = entry
				continue
			}
			s.shared.GuardPanic(string(u), func() {
				if a := s.shared.loadDependencies(u).analyse(body); a.Recognised() {
					entry.CaseIDs = a.CaseIDs()
				}
			})
		}
		closed[u] = entry
	}
	wi.closed = closed
}

// mayShareDataset reports whether a closed file may belong to the dataset of an open one: its name
// or its text has the dataset's name.
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

// allCaseIDs returns the case ids of all files that have any.
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

// siblingIDs maps each open file to the case ids of the other files in its dataset.
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

// findDuplicates returns the ids that several files define, by the file that gets the diagnostic.
func findDuplicates(all map[uri.URI]lint.CaseIDs) map[uri.URI]lint.Duplicates {
	files := slices.Sorted(maps.Keys(all))
	entries := generic.Map(files, func(u uri.URI) lint.CaseIDs { return all[u] })
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
