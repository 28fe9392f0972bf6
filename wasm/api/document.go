package api

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/diagjson"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

// fileParams name a text: as it is, or by the name under which it was opened.
type fileParams struct {
	Text     *string `json:"text,omitempty"`
	Path     string  `json:"path,omitempty"`     // of the text; tells its format
	Document string  `json:"document,omitempty"` // instead of a text: one that is open
}

// document is one version of a text.
type document struct {
	name            string                  // in results: what it was opened as, else its path
	version         *int32                  // nil for one that was not opened, or without
	lastResults     map[string]storedResult // what its cases last came to, by their ids; never changed
	isEvalFile      bool                    // some version since it was opened said of itself that it is an eval file
	deps            *dependencies           // nil for one that stands alone
	diagnosticCache *diagjson.Cache
	*analysis.Analysis
}

// openDocuments are the texts that a caller edits, by their names. Each is held until it
// is forgotten.
var openDocuments struct {
	sync.Mutex
	byName map[string]document
}

// findDocument gives the document that parameters name.
func (p fileParams) findDocument() (document, error) {
	switch {
	case p.Text != nil && p.Document != "":
		return document{}, failf(BadParams, "give `text`, or the `document` that is open, not both")
	case p.Text != nil:
		return document{name: p.Path, diagnosticCache: new(diagjson.Cache), Analysis: analyse(p.Path, *p.Text)}, nil
	case p.Document == "":
		return document{}, failf(BadParams, "`text`, or a `document` that is open, says what is asked about")
	}
	openDocuments.Lock()
	defer openDocuments.Unlock()
	return lookupDocument(p.Document)
}

func lookupDocument(name string) (document, error) {
	d, open := openDocuments.byName[name]
	if name == "" {
		return d, failf(BadParams, "`document` is not given; it is the name that a text was opened under")
	}
	if !open {
		return d, failf(NotOpen, "`%s` is not open", name)
	}
	return d, nil
}

func (p fileParams) analyse() (*analysis.Analysis, error) {
	d, err := p.findDocument()
	return d.Analysis, err
}

// storeDocument keeps a document's newest version.
func storeDocument(d document) Opened {
	d.isEvalFile = d.isEvalFile || d.Recognised()
	openDocuments.byName[d.name] = d
	result := Opened{Recognised: d.isEvalFile}
	if d.deps != nil {
		result.Affected = reanalyseDependents(d.name)
	}
	return result
}

// otherDocuments are the open eval files besides a document, in the order of their names,
// and which documents all of them are.
func (d document) otherDocuments() (all []*analysis.Analysis, documents map[*analysis.Analysis]document) {
	documents = map[*analysis.Analysis]document{d.Analysis: d}
	openDocuments.Lock()
	defer openDocuments.Unlock()
	for _, name := range slices.Sorted(maps.Keys(openDocuments.byName)) {
		if other := openDocuments.byName[name]; name != d.name && other.isEvalFile {
			all = append(all, other.Analysis)
			documents[other.Analysis] = other
		}
	}
	return all, documents
}

// openParams are a text to be edited. Document is the caller's name for it, an
// editor's URI; results that name the file use it. Path tells its format, and is
// that name where it is left out.
type openParams struct {
	Document string `json:"document"`
	Text     string `json:"text"`
	Path     string `json:"path,omitempty"`
	Version  *int32 `json:"version,omitempty"` // for results; the editor's own
	// Rules are the severities of rules by their id, as a project's settings have them.
	Rules map[string]string `json:"rules,omitempty"`
	// Together says that the documents that are open so are all files that there
	// are: what one refers to is looked for among the others.
	Together bool `json:"together,omitempty"`
}

// Opened is a document that was opened or edited.
type Opened struct {
	// Recognised says that some version since it was opened said of itself that it
	// is an eval file. Editors say nothing of others, whose YAML is none of ours.
	Recognised bool `json:"recognised"`
	// Problems are the rules that cannot be given the severity asked for.
	Problems []string `json:"problems,omitempty"`
	// Affected are the other documents about which there may be something else to say now.
	Affected []string `json:"affected,omitempty"`
}

func openDocument(p openParams) (Opened, error) {
	if p.Document == "" {
		return Opened{}, failf(BadParams, "`document` is the name to open the text under")
	}
	path := p.Path
	if path == "" {
		path = p.Document
	}
	severities, problems := p.severities()
	in := analysis.Input{Path: path, Severities: severities}
	d := document{name: p.Document, version: p.Version, diagnosticCache: new(diagjson.Cache)}
	openDocuments.Lock()
	defer openDocuments.Unlock()
	wasLinked := removeText(p.Document) // it may have stood under another path
	if p.Together {
		setText(path, func() string { return p.Text })
		d.deps = &dependencies{input: in}
		d.Analysis = d.deps.analyse(p.Text)
	} else {
		in.Text = p.Text
		d.Analysis = analysis.Of(in)
	}
	if openDocuments.byName == nil {
		openDocuments.byName = map[string]document{}
	}
	result := storeDocument(d)
	result.Problems = problems
	if wasLinked && d.deps == nil {
		result.Affected = reanalyseDependents(d.name)
	}
	return result, nil
}

func (p openParams) severities() (map[string]diag.Severity, []string) {
	var problems []string
	severities := map[string]diag.Severity{}
	for _, rule := range slices.Sorted(maps.Keys(p.Rules)) {
		severity, err := lint.ParseSeverity(rule, strings.ToLower(p.Rules[rule]))
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		severities[rule] = severity
	}
	return severities, problems
}

// editParams are changes of a document, each counted from the one before.
type editParams struct {
	Document string   `json:"document"`
	Version  *int32   `json:"version,omitempty"`
	Changes  []Change `json:"changes"`
}

// Change puts a text into the place of a range, or of everything.
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
		setText(d.deps.input.Path, sync.OnceValue(func() string { return d.Slice(text.Span{End: d.Length()}) }))
	}
	return storeDocument(d), nil
}

// closeParams name a document that is open.
type closeParams struct {
	Document string `json:"document"`
}

// Closed is a document that was let go. Affected are the others about which
// there may be something else to say now.
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
