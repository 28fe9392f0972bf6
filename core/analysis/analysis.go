// Package analysis computes all that is known about one file: its kind, its meaning and
// its diagnostics. Every editor feature, report and run starts from an [Analysis].
//
// A file with a list of cases is divided into chunks. Each case is a chunk, and the rest of
// the file is the header. Each chunk is parsed, lowered and linted on its own. After an edit
// the text is divided anew. A chunk with the text of an earlier one keeps its result, unless
// the header changed; facts about several cases are resolved over all chunks. An edited
// analysis equals that of the new text, because nothing else is kept.
//
// Some files are one chunk: flow style, minified JSON, several documents, cases that share anchors, scenarios,
// files with a JSON Schema of their own.
//
// Spans of a chunk are relative to the chunk, and those of the header start at
// [text.HeaderBase]. A chunk's results therefore stay valid when it moves. Trees are not
// stored; they are parsed again on demand.
//
// Of is a pure function: it reads no files and runs nothing.
package analysis

import (
	"cmp"
	"path"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Input is one file and what the host knows about its surroundings. A function field is nil
// if the host cannot answer it. Functions must be safe for concurrent use, and return the same
// results while an analysis is in use.
type Input struct {
	Path     string // decides the format; it need not exist
	Text     string
	Role     agentv.Role // of an undivided file of a registered dialect, as the file that names it has it; "" if its text decides
	Sidecar  *string     // for JSONL: the text of the YAML file of the same name, if there is one
	HasCases bool        // a JSONL file of the same name is next to this YAML file
	EvalFile string      // the base name of the file that labels are for; "" if their own name says it
	// Severities override those of rules, by rule id; 0 turns a rule off.
	Severities map[string]diag.Severity
	// ReadFile returns the text of a file that this one refers to.
	ReadFile func(reference string) (body string, found bool)
	// OutsideReason returns why ReadFile does not follow a reference to an existing file,
	// such as one outside the repository; "" for any other.
	OutsideReason func(reference string) (why string)
	// ListFiles returns the sorted paths of the files that a pattern matches, relative to this file's
	// folder. If it is nil, patterns and folders of tests stay unread.
	ListFiles func(pattern string) []string
	// FolderNames returns the sorted names of the files in this folder that ADK may read.
	FolderNames func() []string
	Targets     []string          // names in the targets file; nil if there is none
	LoadSchema  lint.SchemaLoader // for the JSON Schema that the file names
	ForRun      bool              // store what [Analysis.RunSuite] returns
	SkipLint    bool              // run no rules
	Paths       bool              // find the paths of diagnostics
}

// baseName is the file's name without folder and extension, the default name of its suite.
func (in *Input) baseName() string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(in.Path, `\`, "/")), path.Ext(in.Path))
}

// Analysis is all that is known about one version of a file. It is immutable and safe for
// concurrent use.
type Analysis struct {
	input  *Input // without Text; edits share it
	source *text.Source
	cache  *cache

	checkedFile func() *checkedFile
	diagnostics func() []diag.Diagnostic
	tree        func() *yaml.Tree
	suite       func() *rubric.Suite
}

// cache holds what all versions of a file share.
type cache struct {
	mu   sync.Mutex   // held while a version is checked
	last *checkedFile // the version that was checked last; nil if there is none
	lint lint.Cache
}

// Of returns the analysis of one file, which is computed on first use. It never fails: problems become
// diagnostics.
func Of(in Input) *Analysis {
	source := text.New(in.Path, in.Text)
	in.Text = ""
	return newAnalysis(&in, source, &cache{})
}

func newAnalysis(in *Input, source *text.Source, c *cache) *Analysis {
	a := &Analysis{input: in, source: source, cache: c}
	a.checkedFile = sync.OnceValue(a.check)
	a.diagnostics = sync.OnceValue(func() []diag.Diagnostic { return a.checkedFile().diagnostics() })
	a.tree = sync.OnceValue(func() *yaml.Tree { return readFile(in.Path, source).Tree })
	a.suite = sync.OnceValue(func() *rubric.Suite { return a.checkedFile().buildSuite() })
	return a
}

// Edit returns the analysis of the text after edits, applied one after the other: the span of each is
// in the text before it. It does not wait for the analysis of the text before.
func (a *Analysis) Edit(edits ...text.Edit) *Analysis {
	body := a.source.Body
	for _, e := range edits {
		body = body[:e.Span.Start] + e.New + body[e.Span.End:]
	}
	return newAnalysis(a.input, text.New(a.input.Path, body), a.cache)
}

// check divides the text and checks its chunks. A chunk that is also in the version checked before
// keeps its result.
func (a *Analysis) check() (cf *checkedFile) {
	c := a.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if caught := diag.CatchPanic(func() { cf = checkFile(a.input, a.source, c) }); caught != nil {
		cf = failedFile(a.input, a.source, c, caught)
	}
	c.last = cf
	return cf
}

// Dialect returns the name of the file's dialect.
func (a *Analysis) Dialect() string {
	if a.ADK() != adk.None {
		return adk.Name
	}
	return cmp.Or(generic.OrZero(dialect.ForRole(a.Role())).Name, agentv.Name)
}

// ADK returns the role of the file among ADK's files; None for AgentV's.
func (a *Analysis) ADK() adk.Role { return a.checkedFile().mainResult().adk }

// Role returns the role of the file among AgentV's files; "" for ADK's.
func (a *Analysis) Role() agentv.Role { return a.checkedFile().mainResult().role }

// Version returns the version of a file for a later version of AgentV, else "".
func (a *Analysis) Version() agentv.Version { return a.checkedFile().mainResult().version }

// Recognised reports whether the content or name shows that this is a file of one of the
// dialects. A folder's check skips other files.
func (a *Analysis) Recognised() bool { return a.checkedFile().mainResult().isRecognised }

// MayBecomeCases reports whether typing keys may make this an eval file, so that they are proposed.
func (a *Analysis) MayBecomeCases() bool { return agentv.MayBecomeCases(a.Role(), a.Source().Name) }

// Diagnostics returns all diagnostics, sorted by position. Callers must not change them.
func (a *Analysis) Diagnostics() []diag.Diagnostic { return a.diagnostics() }

// Source returns the whole text.
func (a *Analysis) Source() *text.Source { return a.source }

// Tree returns the tree of the whole text.
func (a *Analysis) Tree() *yaml.Tree { return a.tree() }

// Suite returns all cases with spans of the file. It is never nil, and empty for a file
// without cases.
func (a *Analysis) Suite() *rubric.Suite { return a.suite() }
