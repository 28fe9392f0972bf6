package analysis

import (
	"sync"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Analysis is everything known about one file. It never changes, and many may
// ask it at once.
type Analysis struct {
	// input, but for its text, which is in layout. Edits have the same one: contexts
	// hold it, and with it would hold every analysis before.
	input *Input
	cache *lint.Cache

	layout   *layout
	previous *checkedFile // of the text before the edit; nil if there is none
	cached   atomic.Pointer[checkedFile]
	// checking is held by who looks at pieces, of which those of a text and of its
	// edits are the same.
	checking *sync.Mutex

	diagnostics func() []diag.Diagnostic
	source      func() *text.Source
	tree        func() *yaml.Tree
	suite       func() *rubric.Suite
}

// Of analyses one file. It never fails: what is wrong is in the diagnostics.
func Of(in Input) *Analysis {
	l := divide(in.Path, in.Text, nil)
	in.Text = ""
	return newAnalysis(&in, &lint.Cache{}, &sync.Mutex{}, l, nil)
}

func newAnalysis(in *Input, memory *lint.Cache, looking *sync.Mutex, l *layout, before *checkedFile) *Analysis {
	a := &Analysis{input: in, cache: memory, checking: looking, layout: l, previous: before}
	a.diagnostics = sync.OnceValue(func() []diag.Diagnostic { return a.checkedFile().diagnostics() })
	a.source = sync.OnceValue(func() *text.Source { return text.New(in.Path, l.slice(0, l.length())) })
	a.tree = sync.OnceValue(a.parseTree)
	a.suite = sync.OnceValue(func() *rubric.Suite { return a.checkedFile().buildSuite() })
	return a
}

// Edit is the analysis of the text after edits, made one after the other: each
// one's span is that of the text before it. It waits for nobody.
func (a *Analysis) Edit(edits ...text.Edit) *Analysis {
	l, before := a.layout, a.previous
	if cf := a.cached.Load(); cf != nil {
		before = cf.editBase()
		l = &before.layout
	}
	for _, e := range edits {
		l = l.edit(a.input.Path, e)
	}
	return newAnalysis(a.input, a.cache, a.checking, l, before)
}

// checkedFile is the view of the text, which is made when it is first asked for.
func (a *Analysis) checkedFile() *checkedFile {
	if cf := a.cached.Load(); cf != nil {
		return cf
	}
	a.checking.Lock()
	defer a.checking.Unlock()
	if a.cached.Load() == nil {
		var cf *checkedFile
		if fault := diag.CatchPanic(func() { cf = a.check() }); fault != nil {
			cf = a.failedFile(fault)
		}
		a.cached.Store(cf)
	}
	return a.cached.Load()
}

// failedFile is the view of a file that cannot be analysed: one piece, and a finding that
// says so.
func (a *Analysis) failedFile(fault *diag.Panic) *checkedFile {
	cf := &checkedFile{layout: *undividedLayout(a.layout.slice(0, a.layout.length())), factsID: new(byte)}
	cf.context = &chunkContext{input: a.input, memory: a.cache, division: cf.division, otherFiles: &v4.FileCache{}, testBudget: new(int)}
	blk := &cf.blocks[0]
	blk.entries[0].result = cf.context.failedResult(&blk.entries[0], fault)
	blk.context = cf.context
	blk.summarize()
	return cf
}

// check looks at all of the text that has not been looked at.
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

// checkUndivided is the view of the text in one piece, whose pieces cannot be told
// apart after all.
func (a *Analysis) checkUndivided(pieces *checkedFile) *checkedFile {
	l := undividedLayout(a.layout.slice(0, a.layout.length()))
	cf := checkLayout(newChunkContext(a.input, a.cache, l), l, nil)
	cf.divided = pieces
	return cf
}

// contextFor is that of the text before the edit, where it is still right.
func (a *Analysis) contextFor(l *layout) *chunkContext {
	b := a.previous
	if b != nil && b.division == l.division && l.division != undivided && b.head == l.head && b.tail == l.tail && b.key == l.key {
		return b.context
	}
	cc := newChunkContext(a.input, a.cache, l)
	if cc != nil && b != nil && cc.version == agentv.Stable && b.context.version == agentv.Head {
		cc.version = agentv.Head // as long as a test is such that it has to be
	}
	return cc
}
