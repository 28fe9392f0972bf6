package analysis

import (
	"sync"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
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
	input  *Input
	memory *lint.Memory

	layout *layout
	before *view // of the text before the edit; nil if there is none
	view   atomic.Pointer[view]
	// looking is held by who looks at pieces, of which those of a text and of its
	// edits are the same.
	looking *sync.Mutex

	diagnostics func() []diag.Diagnostic
	source      func() *text.Source
	tree        func() *yaml.Tree
	suite       func() *rubric.Suite
}

// Of analyses one file. It never fails: what is wrong is in the diagnostics.
func Of(in Input) *Analysis {
	l := divide(in.Path, in.Text, nil)
	in.Text = ""
	return begin(&in, &lint.Memory{}, &sync.Mutex{}, l, nil)
}

func begin(in *Input, memory *lint.Memory, looking *sync.Mutex, l *layout, before *view) *Analysis {
	a := &Analysis{input: in, memory: memory, looking: looking, layout: l, before: before}
	a.diagnostics = sync.OnceValue(func() []diag.Diagnostic { return a.settled().diagnostics() })
	a.source = sync.OnceValue(func() *text.Source { return text.New(in.Path, l.part(0, l.length())) })
	a.tree = sync.OnceValue(a.parse)
	a.suite = sync.OnceValue(func() *rubric.Suite { return a.settled().suite() })
	return a
}

// Edit is the analysis of the text after edits, made one after the other: each
// one's span is that of the text before it. It waits for nobody.
func (a *Analysis) Edit(edits ...text.Edit) *Analysis {
	l, before := a.layout, a.before
	if v := a.view.Load(); v != nil {
		before = v.divided()
		l = &before.layout
	}
	for _, e := range edits {
		l = l.edited(a.input.Path, e)
	}
	return begin(a.input, a.memory, a.looking, l, before)
}

// settled is the view of the text, which is made when it is first asked for.
func (a *Analysis) settled() *view {
	if v := a.view.Load(); v != nil {
		return v
	}
	a.looking.Lock()
	defer a.looking.Unlock()
	if a.view.Load() == nil {
		var v *view
		if fault := diag.Guard(func() { v = a.look() }); fault != nil {
			v = a.faulty(fault)
		}
		a.view.Store(v)
	}
	return a.view.Load()
}

// faulty is the view of a file that cannot be analysed: one piece, and a finding that
// says so.
func (a *Analysis) faulty(fault *diag.Fault) *view {
	v := &view{layout: *whole(a.layout.part(0, a.layout.length())), claimed: new(byte)}
	v.context = &context{input: a.input, memory: a.memory, form: v.form, others: &newer.Others{}, left: new(int)}
	k := &v.blocks[0]
	k.pieces[0].done = v.context.faulty(&k.pieces[0], fault)
	k.context = v.context
	k.sum()
	return v
}

// look looks at all of the text that has not been looked at.
func (a *Analysis) look() *view {
	x := a.contextOf(a.layout)
	if x == nil {
		return a.undivided(nil)
	}
	v := look(x, a.layout, a.before)
	if version := v.version(); version != x.version {
		other := *x
		other.version = version
		v = look(&other, a.layout, nil)
	}
	if v.clashes() {
		return a.undivided(v)
	}
	return v
}

// undivided is the view of the text in one piece, whose pieces cannot be told
// apart after all.
func (a *Analysis) undivided(pieces *view) *view {
	l := whole(a.layout.part(0, a.layout.length()))
	v := look(newContext(a.input, a.memory, l), l, nil)
	v.pieced = pieces
	return v
}

// contextOf is that of the text before the edit, where it is still right.
func (a *Analysis) contextOf(l *layout) *context {
	b := a.before
	if b != nil && b.form == l.form && l.form != undivided && b.head == l.head && b.tail == l.tail && b.key == l.key {
		return b.context
	}
	x := newContext(a.input, a.memory, l)
	if x != nil && b != nil && x.version == agentv.Stable && b.context.version == agentv.Head {
		x.version = agentv.Head // as long as a test is such that it has to be
	}
	return x
}
