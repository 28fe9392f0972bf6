package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/newer"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Dialect is the file's format.
func (a *Analysis) Dialect() string {
	if a.ADK() != adk.None {
		return adk.Name
	}
	return agentv.Name
}

// ADK is what part the file plays among ADK's files; none for AgentV's.
func (a *Analysis) ADK() adk.Role { return a.settled().face().adk }

// Role is what part the file plays among AgentV's; "" for ADK's.
func (a *Analysis) Role() agentv.Role { return a.settled().face().role }

// Version is that of a file of a later version of AgentV, else "".
func (a *Analysis) Version() agentv.Version { return a.settled().face().version }

// Recognised reports whether the file says of itself that it is one of ours,
// which a file found in a folder has to. A file that was named need not.
func (a *Analysis) Recognised() bool { return a.settled().face().recognised }

func (x *context) recognises(p *Part) bool {
	return p.ADK != nil || agentv.Recognised(p.Role, x.input.Path, p.Tree.Root()) || p.Role == agentv.Cases && x.input.Sidecar != nil
}

// Diagnostics are all findings in order of place. Nobody may change them.
func (a *Analysis) Diagnostics() []diag.Diagnostic { return a.diagnostics() }

// Source is all of the text. It is put together when it is first asked for.
func (a *Analysis) Source() *text.Source { return a.source() }

// Tree is that of all of the text. It is made when it is first asked for.
func (a *Analysis) Tree() *yaml.Tree { return a.tree() }

func (a *Analysis) parse() *yaml.Tree { return readWhole(a.input.Path, a.Source()).Tree }

// Suite is all cases, with spans of the file; never nil, and empty for a file
// without cases. It is made when it is first asked for.
func (a *Analysis) Suite() *rubric.Suite { return a.suite() }

// suite lowers all pieces, each where it is in the file.
func (v *view) suite() *rubric.Suite {
	if v.form == undivided {
		x := v.roomy()
		all := *v
		all.context = &x
		return all.open(v.begin(), v.at(0)).Suite
	}
	if v.form == cases {
		return v.context.notOurs()
	}
	x, whole := v.inPlace()
	scenarios := whole.Cases // which come after all tests
	whole.Cases = nil
	for at, p := range v.all() {
		part := x.lowerAt(at, p, v)
		if v.form == lines && at.piece == 0 {
			named(whole, part)
		}
		gather(whole, part)
	}
	whole.Cases = append(whole.Cases, scenarios...)
	return whole
}

// roomy is the view's context, with room for the tests of other files.
func (v *view) roomy() context {
	x, room := *v.context, newer.Room
	x.left = &room
	return x
}

// inPlace is the context in which pieces are lowered where they are in the file, and
// what stands around them, lowered so.
func (v *view) inPlace() (context, *rubric.Suite) {
	x := v.roomy()
	if v.form != listed {
		return x, &rubric.Suite{Dialect: agentv.Name, Name: x.input.stem()}
	}
	x.frame = elided(x.source, v.key)
	x.before = x.frame.Anchors(len(v.head))
	x.frame.Move(v.placeAround)
	return x, x.lower(x.frame)
}

// lowerAt lowers a piece of a view where it is.
func (x *context) lowerAt(at start, p *piece, v *view) *rubric.Suite {
	tree := x.parse(p.source)
	tree.Move(func(span text.Span) text.Span { return v.place(at, span) })
	return x.lowerPart(tree)
}

// named has a suite called as another is.
func named(s, other *rubric.Suite) {
	s.Name, s.Version, s.Description, s.Target = other.Name, other.Version, other.Description, other.Target
}

// gather adds the cases of a part to its suite's.
func gather(s, part *rubric.Suite) {
	s.Cases, s.Skipped = append(s.Cases, part.Cases...), append(s.Skipped, part.Skipped...)
	for _, loss := range part.Losses {
		if !slices.Contains(s.Losses, loss) {
			s.Losses = append(s.Losses, loss)
		}
	}
}

// lower reads a file of which there is all in one tree, but for the list of
// cases where that has been taken out.
func (x *context) lower(t *yaml.Tree) *rubric.Suite {
	if x.role == later {
		return x.reader().Suite(t)
	}
	return agentv.Lower(t, x.input.stem())
}
