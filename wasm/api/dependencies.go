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
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// openTexts is the texts of the documents that were opened to be together, by their
// paths. It has its own lock: analyses ask for texts while documents change. A text is
// put together when somebody asks for it: an edit changes little of a long one.
var openTexts struct {
	sync.RWMutex
	byPath map[string]func() string
}

// setText puts a document's text where the others find it, or, nil, takes it away.
func setText(name string, body func() string) {
	openTexts.Lock()
	defer openTexts.Unlock()
	if body == nil {
		delete(openTexts.byPath, name)
		return
	}
	if openTexts.byPath == nil {
		openTexts.byPath = map[string]func() string{}
	}
	openTexts.byPath[name] = body
}

// removeText takes a document's text from where the others find it, and reports whether
// it was there. Whoever calls holds the documents.
func removeText(name string) bool {
	d := openDocuments.byName[name]
	if d.deps == nil {
		return false
	}
	setText(d.deps.input.Path, nil)
	return true
}

// dependencies is what a document was told of those that are open beside it, which
// stays the same for as long as its analysis is used.
type dependencies struct {
	input   analysis.Input // without the text, and what is beside
	isAlone bool           // there was no other: then nobody can tell what is beside it

	mu     sync.Mutex
	files  map[string]fileText
	folder *[]string // nil if nobody asked
}

// fileText is what came of looking for a text.
type fileText struct {
	body  string
	found bool
}

// analyse is the analysis of a text beside the documents that are open now.
func (d *dependencies) analyse(body string) *analysis.Analysis {
	d.isAlone, d.files, d.folder = d.isOnlyFile(), map[string]fileText{}, nil
	in := d.input
	in.Text, in.FolderNames, in.LoadSchema = body, d.listADKFiles, schemasFor(d)
	if !d.isAlone || adk.IsKnownName(path.Base(in.Path)) { // a set without its configuration is told so
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

// file is the text of a document by its path from this one's folder.
func (d *dependencies) file(reference string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, known := d.files[reference]
	if !known {
		a = d.lookup(reference)
		d.files[reference] = a
	}
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

// documentName is what the file that a document refers to so was opened as; that name
// itself if it is not open.
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

// listADKFiles are the names of ADK's files in this document's folder.
func (d *dependencies) listADKFiles() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folder == nil {
		names := d.adkFileNames()
		d.folder = &names
	}
	return *d.folder
}

func (d *dependencies) adkFileNames() (names []string) {
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

// isStale reports whether something that was told is no longer so.
func (d *dependencies) isStale() bool {
	if d.isAlone != d.isOnlyFile() {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for reference, before := range d.files {
		if d.lookup(reference) != before && path.Join(path.Dir(d.input.Path), reference) != d.input.Path { // it knows itself
			return true
		}
	}
	return d.folder != nil && !slices.Equal(*d.folder, d.adkFileNames())
}

// reanalyseDependents analyses anew what a change of a document is told to, and gives the names
// of those. Whoever calls holds the documents.
func reanalyseDependents(changed string) (affected []string) {
	for _, name := range slices.Sorted(maps.Keys(openDocuments.byName)) {
		d := openDocuments.byName[name]
		if name == changed || d.deps == nil || !d.deps.isStale() {
			continue
		}
		// A value of its own: the analysis before may still be in use.
		d.deps = &dependencies{input: d.deps.input}
		d.Analysis = d.deps.analyse(d.Slice(text.Span{End: d.Length()}))
		openDocuments.byName[name] = d
		affected = append(affected, name)
	}
	return affected
}
