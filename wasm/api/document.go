package api

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// fileParams name a file: its text, or the name of an open document.
type fileParams struct {
	Text     *string `json:"text,omitempty"`
	Path     string  `json:"path,omitempty"`     // of the text; determines the format
	Document string  `json:"document,omitempty"` // an open document, instead of a text
}

// document is one version of a text.
type document struct {
	name        string        // in results: the document's name, or else its path
	version     *int32        // nil without a version
	lastResults *caseResults  // last results; all versions of the document share them
	runNames    *ide.RunNames // as of the last plan; nil before it
	isEvalFile  bool          // some version since `open` was recognised as an eval file
	deps        *dependencies // nil for a document without siblings
	*analysis.Analysis
}

// openDocuments holds the documents between `open` and `forget`.
var openDocuments = struct {
	sync.Mutex
	byName map[string]document
}{byName: map[string]document{}}

// findDocument returns the document that the parameters name.
func (p fileParams) findDocument() (document, error) {
	switch {
	case p.Text != nil && p.Document != "":
		return document{}, failf(BadParams, "give `text` or an open `document`, not both")
	case p.Text != nil:
		return document{name: p.Path, Analysis: analysis.Of(analysis.Input{Path: p.Path, Text: *p.Text, Paths: true})}, nil
	case p.Document == "":
		return document{}, failf(BadParams, "give `text` or an open `document`")
	}
	openDocuments.Lock()
	defer openDocuments.Unlock()
	return lookupDocument(p.Document)
}

func lookupDocument(name string) (document, error) {
	d, open := openDocuments.byName[name]
	if name == "" {
		return d, failf(BadParams, "`document` is missing; give the name of an open document")
	}
	if !open {
		return d, failf(NotOpen, "`%s` is not open", name)
	}
	return d, nil
}

// storeDocument makes d the current version of its document. It analyses d, to recognise an eval file.
// The caller holds the lock.
func storeDocument(d document) Opened {
	d.isEvalFile = d.isEvalFile || d.Recognised()
	openDocuments.byName[d.name] = d
	result := Opened{Recognised: d.isEvalFile}
	if d.deps != nil {
		result.Affected = reanalyseDependents(d.name)
	}
	return result
}

// otherFiles returns the open eval files other than d, by name.
func (d document) otherFiles(client *ide.Client) (all []*ide.File) {
	openDocuments.Lock()
	defer openDocuments.Unlock()
	for _, name := range slices.Sorted(maps.Keys(openDocuments.byName)) {
		if other := openDocuments.byName[name]; name != d.name && other.isEvalFile {
			all = append(all, other.file(client))
		}
	}
	return all
}

// openParams are a text to edit. Results refer to it as Document, for example an editor's URI. Path
// determines the format and defaults to Document.
type openParams struct {
	Document string `json:"document"`
	Text     string `json:"text"`
	Path     string `json:"path,omitempty"`
	Version  *int32 `json:"version,omitempty"` // the editor's version, repeated in results
	// Rules maps rule ids to severities, as in the project's settings file.
	Rules map[string]string `json:"rules,omitempty"`
	// Together says that the documents opened this way are all files there are. References are
	// resolved among them.
	Together bool `json:"together,omitempty"`
}

// Opened is the result of opening or editing a document.
type Opened struct {
	// Recognised says that some version since `open` was recognised as an eval file. Editors show
	// nothing for other files.
	Recognised bool `json:"recognised"`
	// Problems are the rules whose severity is invalid.
	Problems []string `json:"problems,omitempty"`
	// Affected are the other documents whose findings may have changed.
	Affected []string `json:"affected,omitempty"`
}

func openDocument(p openParams) (Opened, error) {
	if p.Document == "" {
		return Opened{}, failf(BadParams, "`document` is missing; give a name for the text")
	}
	path := cmp.Or(p.Path, p.Document)
	severities, problems := lint.ParseSeverities(p.Rules)
	in := analysis.Input{Path: path, Severities: severities, Paths: true}
	d := document{name: p.Document, version: p.Version, lastResults: &caseResults{}}
	openDocuments.Lock()
	defer openDocuments.Unlock()
	wasLinked := removeText(p.Document) // it may have been open under another path
	if p.Together {
		setText(path, func() string { return p.Text })
		d.deps = &dependencies{input: in}
		d.Analysis = d.deps.analyse(p.Text)
	} else {
		in.Text = p.Text
		d.Analysis = analysis.Of(in)
	}
	result := storeDocument(d)
	result.Problems = problems
	if wasLinked && d.deps == nil {
		result.Affected = reanalyseDependents(d.name)
	}
	return result, nil
}

// editParams are changes of a document. Each counts from the one before.
type editParams struct {
	Document string   `json:"document"`
	Version  *int32   `json:"version,omitempty"`
	Changes  []Change `json:"changes"`
}

// Change replaces a range, or the whole text.
type Change struct {
	Range *text.Range `json:"range,omitempty"`
	Text  string      `json:"text"`
}

func editDocument(p editParams) (Opened, error) {
	openDocuments.Lock()
	defer openDocuments.Unlock()
	d, err := lookupDocument(p.Document)
	if err != nil {
		return Opened{}, err
	}
	d.version = p.Version
	for _, c := range p.Changes {
		e := text.Edit{Span: text.Span{End: d.Length()}, New: c.Text}
		if c.Range != nil {
			e.Span = d.Span(*c.Range, text.UTF16)
		}
		d.Analysis = d.Edit(e)
	}
	if d.deps != nil {
		setText(d.deps.input.Path, sync.OnceValue(d.Body))
	}
	return storeDocument(d), nil
}

// closeParams name an open document.
type closeParams struct {
	Document string `json:"document"`
}

// Closed is the result of closing a document. Affected are the other documents whose findings may
// have changed.
type Closed struct {
	Affected []string `json:"affected,omitempty"`
}

func closeDocument(p closeParams) (Closed, error) {
	openDocuments.Lock()
	defer openDocuments.Unlock()
	if _, err := lookupDocument(p.Document); err != nil {
		return Closed{}, err
	}
	wasLinked := removeText(p.Document)
	delete(openDocuments.byName, p.Document)
	if !wasLinked {
		return Closed{}, nil
	}
	return Closed{reanalyseDependents(p.Document)}, nil
}
