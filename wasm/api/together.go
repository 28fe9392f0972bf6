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

// shelf is the texts of the documents that were opened to be together, by their
// paths. It has its own lock: analyses ask for texts while documents change. A text is
// put together when somebody asks for it: an edit changes little of a long one.
var shelf struct {
	sync.RWMutex
	texts map[string]func() string
}

// shelve puts a document's text where the others find it, or, nil, takes it away.
func shelve(name string, body func() string) {
	shelf.Lock()
	defer shelf.Unlock()
	if body == nil {
		delete(shelf.texts, name)
		return
	}
	if shelf.texts == nil {
		shelf.texts = map[string]func() string{}
	}
	shelf.texts[name] = body
}

// unshelve takes a document's text from where the others find it, and reports whether
// it was there. Whoever calls holds the documents.
func unshelve(name string) bool {
	d := opened.documents[name]
	if d.beside == nil {
		return false
	}
	shelve(d.beside.input.Path, nil)
	return true
}

// together is what a document was told of those that are open beside it, which
// stays the same for as long as its analysis is used.
type together struct {
	input analysis.Input // without the text, and what is beside
	alone bool           // there was no other: then nobody can tell what is beside it

	lock   sync.Mutex
	asked  map[string]answer
	folder *[]string // nil if nobody asked
}

// answer is what came of looking for a text.
type answer struct {
	body  string
	found bool
}

// of is the analysis of a text beside the documents that are open now.
func (t *together) of(body string) *analysis.Analysis {
	t.alone, t.asked, t.folder = t.lonely(), map[string]answer{}, nil
	in := t.input
	in.Text, in.Folder, in.Schemas = body, t.list, besides(t)
	if !t.alone || adk.IsName(path.Base(in.Path)) { // a set without its configuration is told so
		in.Files = t.file
	}
	stem := strings.TrimSuffix(in.Path, path.Ext(in.Path))
	switch path.Ext(in.Path) {
	case ".jsonl":
		for _, ext := range []string{".yaml", ".yml"} {
			if sidecar, ok := t.file(path.Base(stem) + ext); ok {
				in.Sidecar = &sidecar
				break
			}
		}
	case ".yaml", ".yml":
		_, in.HasCases = t.file(path.Base(stem) + ".jsonl")
		if targets, ok := t.file("targets.yaml"); ok {
			in.Targets = agentv.TargetNames(yaml.Parse(text.New("targets.yaml", targets)))
		}
	}
	return analysis.Of(in)
}

// file is the text of a document by its path from this one's folder.
func (t *together) file(reference string) (string, bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	a, known := t.asked[reference]
	if !known {
		a = t.look(reference)
		t.asked[reference] = a
	}
	return a.body, a.found
}

func (t *together) look(reference string) answer {
	shelf.RLock()
	defer shelf.RUnlock()
	body, found := shelf.texts[path.Join(path.Dir(t.input.Path), reference)]
	if !found {
		return answer{}
	}
	return answer{body(), true}
}

// openedAs is what the file that a document refers to so was opened as; that name
// itself if it is not open.
func (d document) openedAs(reference string) string {
	if d.beside == nil {
		return reference
	}
	at := reference
	if !path.IsAbs(at) {
		at = path.Join(path.Dir(d.beside.input.Path), at)
	}
	opened.Lock()
	defer opened.Unlock()
	for name, other := range opened.documents {
		if other.beside != nil && other.beside.input.Path == at {
			return name
		}
	}
	return reference
}

// list are the names of ADK's files in this document's folder.
func (t *together) list() []string {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.folder == nil {
		names := t.names()
		t.folder = &names
	}
	return *t.folder
}

func (t *together) names() (names []string) {
	shelf.RLock()
	defer shelf.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(shelf.texts)) {
		if path.Dir(name) == path.Dir(t.input.Path) && adk.IsName(path.Base(name)) {
			names = append(names, path.Base(name))
		}
	}
	return names
}

func (t *together) lonely() bool {
	shelf.RLock()
	defer shelf.RUnlock()
	for name := range shelf.texts {
		if name != t.input.Path {
			return false
		}
	}
	return true
}

// stale reports whether something that was told is no longer so.
func (t *together) stale() bool {
	if t.alone != t.lonely() {
		return true
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	for reference, was := range t.asked {
		if t.look(reference) != was && path.Join(path.Dir(t.input.Path), reference) != t.input.Path { // it knows itself
			return true
		}
	}
	return t.folder != nil && !slices.Equal(*t.folder, t.names())
}

// settle analyses anew what a change of a document is told to, and gives the names
// of those. Whoever calls holds the documents.
func settle(changed string) (affected []string) {
	for _, name := range slices.Sorted(maps.Keys(opened.documents)) {
		d := opened.documents[name]
		if name == changed || d.beside == nil || !d.beside.stale() {
			continue
		}
		// A value of its own: the analysis before may still be in use.
		d.beside = &together{input: d.beside.input}
		d.Analysis = d.beside.of(d.Slice(text.Span{End: d.Length()}))
		opened.documents[name] = d
		affected = append(affected, name)
	}
	return affected
}
