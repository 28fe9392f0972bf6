package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
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
func (a *Analysis) ADK() adk.Role { return a.checkedFile().mainResult().adk }

// Role is what part the file plays among AgentV's; "" for ADK's.
func (a *Analysis) Role() agentv.Role { return a.checkedFile().mainResult().role }

// Version is that of a file of a later version of AgentV, else "".
func (a *Analysis) Version() agentv.Version { return a.checkedFile().mainResult().version }

// Recognised reports whether the file says of itself that it is one of ours,
// which a file found in a folder has to. A file that was named need not.
func (a *Analysis) Recognised() bool { return a.checkedFile().mainResult().isRecognised }

func (cc *chunkContext) isRecognised(p *Chunk) bool {
	return p.ADK != nil || agentv.IsRecognised(p.Role, cc.input.Path, p.Tree.Root()) || p.Role == agentv.Cases && cc.input.Sidecar != nil
}

// Diagnostics are all findings in order of place. Nobody may change them.
func (a *Analysis) Diagnostics() []diag.Diagnostic { return a.diagnostics() }

// Source is all of the text. It is put together when it is first asked for.
func (a *Analysis) Source() *text.Source { return a.source() }

// Tree is that of all of the text. It is made when it is first asked for.
func (a *Analysis) Tree() *yaml.Tree { return a.tree() }

func (a *Analysis) parseTree() *yaml.Tree { return readFile(a.input.Path, a.Source()).Tree }

// Suite is all cases, with spans of the file; never nil, and empty for a file
// without cases. It is made when it is first asked for.
func (a *Analysis) Suite() *rubric.Suite { return a.suite() }

// buildSuite lowers all pieces, each where it is in the file.
func (cf *checkedFile) buildSuite() *rubric.Suite {
	if cf.division == undivided {
		cc := cf.runContext()
		all := *cf
		all.context = &cc
		return all.openChunk(cf.begin(), cf.entry(0)).Suite
	}
	if cf.division == adkCases {
		return cf.context.emptySuite()
	}
	cc, whole := cf.inPlaceContext()
	scenarios := whole.Cases // which come after all tests
	whole.Cases = nil
	for at, p := range cf.all() {
		part := cc.lowerInPlace(at, p, cf)
		if cf.division == jsonLines && at.index == 0 {
			copySuiteInfo(whole, part)
		}
		appendCases(whole, part)
	}
	whole.Cases = append(whole.Cases, scenarios...)
	return whole
}

// runContext is the view's context, with room for the tests of other files.
func (cf *checkedFile) runContext() chunkContext {
	cc, room := *cf.context, v4.MaxExternalTests
	cc.testBudget = &room
	return cc
}

// inPlaceContext is the context in which pieces are lowered where they are in the file, and
// what stands around them, lowered so.
func (cf *checkedFile) inPlaceContext() (chunkContext, *rubric.Suite) {
	cc := cf.runContext()
	if cf.division != yamlList {
		return cc, &rubric.Suite{Dialect: agentv.Name, Name: cc.input.baseName()}
	}
	cc.header = parseHeader(cc.headerSource, cf.key)
	cc.anchors = cc.header.AnchorsBefore(len(cf.head))
	cc.header.MapSpans(cf.headerSpan)
	return cc, cc.lowerFile(cc.header)
}

// lowerInPlace lowers a piece of a view where it is.
func (cc *chunkContext) lowerInPlace(at chunkStart, p *entry, cf *checkedFile) *rubric.Suite {
	tree := cc.parseChunk(p.source)
	tree.MapSpans(func(span text.Span) text.Span { return cf.fileSpan(at, span) })
	return cc.lowerChunk(tree)
}

// copySuiteInfo has a suite called as another is.
func copySuiteInfo(s, other *rubric.Suite) {
	s.Name, s.Version, s.Description, s.Target = other.Name, other.Version, other.Description, other.Target
}

// appendCases adds the cases of a part to its suite's.
func appendCases(s, part *rubric.Suite) {
	s.Cases, s.Skipped = append(s.Cases, part.Cases...), append(s.Skipped, part.Skipped...)
	for _, loss := range part.Losses {
		if !slices.Contains(s.Losses, loss) {
			s.Losses = append(s.Losses, loss)
		}
	}
}

// lowerFile reads a file of which there is all in one tree, but for the list of
// cases where that has been taken out.
func (cc *chunkContext) lowerFile(t *yaml.Tree) *rubric.Suite {
	if cc.role == laterRole {
		return cc.laterReader().LowerSuite(t)
	}
	return agentv.Lower(t, cc.input.baseName())
}
