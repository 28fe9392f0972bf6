// Package analysis computes all that is known about one file: its kind, its meaning and
// its diagnostics. Every editor feature, report and run starts from an [Analysis].
//
// A file with a list of cases is divided into chunks. Each case is a chunk, and the rest of
// the file is the header. Each chunk is parsed, lowered and linted on its own. After an edit
// only the changed chunks are checked again; facts about several cases are resolved over all
// chunks. An edited analysis equals that of the new text, because both divide it alike.
//
// Some files are one chunk: flow style, several documents, cases that share anchors. The
// cases of ADK's evalsets and result files are found by their lines in indented JSON and by
// their brackets in minified JSON.
//
// Spans of a chunk are relative to the chunk, and those of the header start at
// [text.HeaderBase]. A chunk's results therefore stay valid when it moves. Trees are not
// stored; they are parsed again on demand.
//
// Of is a pure function: it reads no files and runs nothing.
package analysis

import (
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Input is one file and what the host knows about its surroundings. A function field is nil
// if the host cannot answer it. Functions must return the same results while an analysis is
// in use.
type Input struct {
	Path     string // decides the format; it need not exist
	Text     string
	Sidecar  *string // for JSONL: the text of the YAML file of the same name, if there is one
	HasCases bool    // a JSONL file of the same name is next to this YAML file
	// Severities override those of rules, by rule id; 0 turns a rule off.
	Severities map[string]diag.Severity
	// ReadFile returns the text of a file that this one refers to.
	ReadFile func(reference string) (body string, found bool)
	// OutsideReason returns why ReadFile does not follow a reference to an existing file,
	// such as one outside the repository; "" for any other.
	OutsideReason func(reference string) (why string)
	// FolderNames returns the sorted names of the files in this folder that ADK may read.
	FolderNames func() []string
	Targets     []string          // names in the targets file; nil if there is none
	LoadSchema  lint.SchemaLoader // for the JSON Schema that the file names
	ForRun      bool              // store what [Analysis.RunSuite] returns
	SkipLint    bool              // run no rules
}

// baseName is the file's name without folder and extension, the default name of its suite.
func (in *Input) baseName() string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(in.Path, `\`, "/")), path.Ext(in.Path))
}

// Analysis is all that is known about one file. It is immutable and safe for concurrent use.
type Analysis struct {
	// input has no Text, which is in layout. Edits share it: contexts refer to it, and
	// would otherwise keep every earlier analysis alive.
	input *Input
	cache *lint.Cache

	layout   *layout
	previous *checkedFile // before the edit; nil if there is none
	cached   atomic.Pointer[checkedFile]
	checking *sync.Mutex // held while chunks are checked; edits share chunks and this mutex

	diagnostics func() []diag.Diagnostic
	source      func() *text.Source
	tree        func() *yaml.Tree
	suite       func() *rubric.Suite
}

// Of analyses one file. It never fails: problems become diagnostics.
func Of(in Input) *Analysis {
	l := divide(in.Path, in.Text, nil)
	in.Text = ""
	return newAnalysis(&in, &lint.Cache{}, &sync.Mutex{}, l, nil)
}

func newAnalysis(in *Input, cache *lint.Cache, checking *sync.Mutex, l *layout, previous *checkedFile) *Analysis {
	a := &Analysis{input: in, cache: cache, checking: checking, layout: l, previous: previous}
	a.diagnostics = sync.OnceValue(func() []diag.Diagnostic { return a.checkedFile().diagnostics() })
	a.source = sync.OnceValue(func() *text.Source { return text.New(in.Path, l.wholeText()) })
	a.tree = sync.OnceValue(func() *yaml.Tree { return readFile(in.Path, a.Source()).Tree })
	a.suite = sync.OnceValue(func() *rubric.Suite { return a.checkedFile().buildSuite() })
	return a
}

// Edit returns the analysis after edits, applied one after the other: the span of each is in
// the text before it. Edit does not wait for the analysis of the text before.
func (a *Analysis) Edit(edits ...text.Edit) *Analysis {
	l, previous := a.layout, a.previous
	if cf := a.cached.Load(); cf != nil {
		previous = cf
		if cf.divided != nil {
			previous = cf.divided
		}
		l = &previous.layout
	}
	for _, e := range edits {
		l = l.edit(a.input.Path, e)
	}
	return newAnalysis(a.input, a.cache, a.checking, l, previous)
}

// checkedFile returns the checked chunks. The first call computes them.
func (a *Analysis) checkedFile() *checkedFile {
	if cf := a.cached.Load(); cf != nil {
		return cf
	}
	a.checking.Lock()
	defer a.checking.Unlock()
	if a.cached.Load() == nil {
		var cf *checkedFile
		if caught := diag.CatchPanic(func() { cf = a.check() }); caught != nil {
			cf = a.failedFile(caught)
		}
		a.cached.Store(cf)
	}
	return a.cached.Load()
}

func (a *Analysis) check() *checkedFile {
	cc := a.contextFor(a.layout)
	if cc == nil {
		return a.checkUndivided(nil)
	}
	cf := checkLayout(cc, a.layout, a.previous)
	if version := cf.computeVersion(); version != cc.version {
		other := *cc
		other.version = version
		cf = checkLayout(&other, a.layout, nil)
	}
	if cf.isMisdivided() {
		return a.checkUndivided(cf)
	}
	return cf
}

// checkUndivided checks the text as one chunk. divided is the rejected division, from which
// later edits continue.
func (a *Analysis) checkUndivided(divided *checkedFile) *checkedFile {
	l := undividedLayout(a.layout.wholeText())
	cf := checkLayout(newChunkContext(a.input, a.cache, l), l, nil)
	cf.divided = divided
	return cf
}

// contextFor returns the previous context if it is still valid for l, else a new one.
func (a *Analysis) contextFor(l *layout) *chunkContext {
	p := a.previous
	if p != nil && p.division == l.division && l.division != undivided && p.head == l.head && p.tail == l.tail && p.key == l.key {
		return p.context
	}
	cc := newChunkContext(a.input, a.cache, l)
	if cc != nil && p != nil && cc.version == agentv.V4 && p.context.version == agentv.Head {
		cc.version = agentv.Head // check corrects it if no test needs this version any more
	}
	return cc
}

// failedFile is the result for a file whose analysis panicked: one chunk with one diagnostic.
func (a *Analysis) failedFile(caught *diag.Panic) *checkedFile {
	cf := &checkedFile{layout: *undividedLayout(a.layout.wholeText()), factsID: new(byte)}
	cf.context = &chunkContext{input: a.input, cache: a.cache, otherFiles: &v4.FileCache{}, testBudget: new(int)}
	cf.entries[0].result = cf.context.failedResult(&cf.entries[0], caught)
	return cf
}

// Dialect returns the name of the file's dialect.
func (a *Analysis) Dialect() string {
	if a.ADK() != adk.None {
		return adk.Name
	}
	return agentv.Name
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

// Diagnostics returns all diagnostics, sorted by position. Callers must not change them.
func (a *Analysis) Diagnostics() []diag.Diagnostic { return a.diagnostics() }

// Source returns the whole text.
func (a *Analysis) Source() *text.Source { return a.source() }

// Tree returns the tree of the whole text.
func (a *Analysis) Tree() *yaml.Tree { return a.tree() }

// Suite returns all cases with spans of the file. It is never nil, and empty for a file
// without cases.
func (a *Analysis) Suite() *rubric.Suite { return a.suite() }
