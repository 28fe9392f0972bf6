package api

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// openTexts holds the texts of the documents that were opened with `together`, by path. It has its
// own lock, because analyses read texts while documents change. Each text is built on demand,
// because an edit changes little of a long one.
var openTexts = struct {
	sync.RWMutex
	byPath map[string]func() string
}{byPath: map[string]func() string{}}

// setText makes a document's text available to its siblings.
func setText(name string, body func() string) {
	openTexts.Lock()
	defer openTexts.Unlock()
	openTexts.byPath[name] = body
}

// removeText removes a document's text and reports whether it was available. The caller holds the
// lock of openDocuments.
func removeText(name string) bool {
	d := openDocuments.byName[name]
	if d.deps == nil {
		return false
	}
	openTexts.Lock()
	defer openTexts.Unlock()
	delete(openTexts.byPath, d.deps.input.Path)
	return true
}

// dependencies records what an analysis read from its open siblings. The answers stay the same
// while the analysis is in use.
type dependencies struct {
	input   analysis.Input // without Text and without the siblings
	isAlone bool           // without any sibling, references cannot be checked

	files  generic.Lookups[string, fileText]
	folder generic.Lookups[string, []string] // names of ADK's files, by ""
}

// fileText is the result of reading a sibling.
type fileText struct {
	body  string
	found bool
}

// analyse returns the analysis of body with the documents that are open now.
func (d *dependencies) analyse(body string) *analysis.Analysis {
	d.isAlone, d.files.Find, d.folder.Find = d.isOnlyFile(), d.lookup, d.adkFileNames
	in := d.input
	in.Text, in.FolderNames, in.LoadSchema = body, d.listADKFiles, schemasFor(d)
	if !d.isAlone || adk.IsKnownName(path.Base(in.Path)) { // an evalset without its configuration gets a diagnostic
		in.ReadFile = d.file
	}
	stem := strings.TrimSuffix(in.Path, path.Ext(in.Path))
	switch path.Ext(in.Path) {
	case ".jsonl":
		for _, ext := range []string{".yaml", ".yml"} {
			if sidecar, ok := d.file(path.Base(stem) + ext); ok {
				in.Sidecar = &sidecar
				break
			}
		}
	case ".yaml", ".yml":
		_, in.HasCases = d.file(path.Base(stem) + ".jsonl")
		if targets, ok := d.file("targets.yaml"); ok {
			in.Targets = agentv.TargetNames(yaml.Parse(text.New("targets.yaml", targets)))
		}
	}
	return analysis.Of(in)
}

// file returns the text of a sibling, by its path from this document's folder.
func (d *dependencies) file(reference string) (string, bool) {
	a := d.files.Get(reference)
	return a.body, a.found
}

func (d *dependencies) lookup(reference string) fileText {
	openTexts.RLock()
	defer openTexts.RUnlock()
	body, found := openTexts.byPath[path.Join(path.Dir(d.input.Path), reference)]
	if !found {
		return fileText{}
	}
	return fileText{body(), true}
}

// documentName returns the name of the open document that d refers to, or reference itself if none
// is open.
func (d document) documentName(reference string) string {
	if d.deps == nil {
		return reference
	}
	target := reference
	if !path.IsAbs(target) {
		target = path.Join(path.Dir(d.deps.input.Path), target)
	}
	openDocuments.Lock()
	defer openDocuments.Unlock()
	for name, other := range openDocuments.byName {
		if other.deps != nil && other.deps.input.Path == target {
			return name
		}
	}
	return reference
}

// listADKFiles returns the names of the ADK files in this document's folder.
func (d *dependencies) listADKFiles() []string { return d.folder.Get("") }

func (d *dependencies) adkFileNames(string) (names []string) {
	openTexts.RLock()
	defer openTexts.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(openTexts.byPath)) {
		if path.Dir(name) == path.Dir(d.input.Path) && adk.IsKnownName(path.Base(name)) {
			names = append(names, path.Base(name))
		}
	}
	return names
}

func (d *dependencies) isOnlyFile() bool {
	openTexts.RLock()
	defer openTexts.RUnlock()
	for name := range openTexts.byPath {
		if name != d.input.Path {
			return false
		}
	}
	return true
}

// isStale reports whether any answer has changed.
func (d *dependencies) isStale() bool {
	if d.isAlone != d.isOnlyFile() {
		return true
	}
	for reference, before := range d.files.All() {
		if d.lookup(reference) != before && path.Join(path.Dir(d.input.Path), reference) != d.input.Path { // a document does not depend on itself
			return true
		}
	}
	names, isListed := d.folder.All()[""]
	return isListed && !slices.Equal(names, d.adkFileNames(""))
}

// reanalyseDependents analyses the documents that depend on a changed one again, and returns their
// names. The caller holds the lock of openDocuments.
func reanalyseDependents(changed string) (affected []string) {
	for _, name := range slices.Sorted(maps.Keys(openDocuments.byName)) {
		d := openDocuments.byName[name]
		if name == changed || d.deps == nil || !d.deps.isStale() {
			continue
		}
		// a new value, because the previous analysis may still be in use
		d.deps = &dependencies{input: d.deps.input}
		d.Analysis = d.deps.analyse(d.Body())
		openDocuments.byName[name] = d
		affected = append(affected, name)
	}
	return affected
}

// wholeWanted names what open files need of rubric.wasm. Only rubric-small.wasm sets it, which has one thread.
var wholeWanted string
