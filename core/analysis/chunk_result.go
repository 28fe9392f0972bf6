package analysis

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entry is a stretch of a file that is read by itself.
type entry struct {
	source     *text.Source
	isLast     bool // see cutting
	endColumns columnWidths
	*resultSlot
}

func newEntry(body string, last bool) entry {
	source := text.New("", body)
	return entry{source, last, endColumns(source), &resultSlot{}}
}

// hasText reports whether a piece is that of a text.
func (e *entry) hasText(c chunkText) bool { return e.source.Body == c.body && e.isLast == c.isLast }

// resultSlot is where what is found of a piece is put, once: nil until it has been
// looked at. All that share the piece share it.
type resultSlot struct{ result *chunkResult }

// chunkResult is what rules say of a piece, and what others have to know of it.
// Spans are those of the piece; those of the frame lie from text.Far on.
type chunkResult struct {
	lint.Result
	values            valueList     // what memos worked out of the part
	suite             *rubric.Suite // of the part, for who is to run it; else nil
	context           *chunkContext // in which it was looked at
	role              agentv.Role
	version           agentv.Version
	adk               adk.Role
	isRecognised      bool
	usesHeader        bool     // something has a span in the frame
	needsHead         bool     // a case can only be of version Head
	anchors           []string // anchors
	headerAliases     []string // anchors of the frame
	unresolvedAliases []string // names of aliases whose anchor stands neither here nor in the frame
	unclosedBrackets  string   // brackets, of a case of ADK
	isMiscut          bool     // what was cut as a case of ADK is sound, and not one case
}

// hasCrossRefs reports whether other pieces or the file have to know of this one.
func (c *chunkResult) hasCrossRefs() bool {
	return len(c.anchors)+len(c.headerAliases)+len(c.unresolvedAliases)+len(c.unclosedBrackets) > 0 || c.needsHead || c.isMiscut
}

// equalFacts reports whether the claims of two are as good as each other, and what
// claims are held against.
func equalFacts(a, b *chunkResult) bool {
	if a == nil || len(a.Facts) != len(b.Facts) || !a.Summary.Equal(b.Summary) {
		return false
	}
	for i := range a.Facts {
		if a.Facts[i].Key != b.Facts[i].Key || a.Facts[i].IsTool != b.Facts[i].IsTool || a.Facts[i].Diagnostic.Code != b.Facts[i].Diagnostic.Code || a.Facts[i].IsSilenced != b.Facts[i].IsSilenced {
			return false
		}
	}
	return true
}

// checkChunk looks at a piece.
func (cc *chunkContext) checkChunk(p *entry) (c *chunkResult) {
	if fault := diag.CatchPanic(func() { c = cc.checkUnguarded(p) }); fault != nil {
		return cc.failedResult(p, fault)
	}
	return c
}

// failedResult is what there is of a piece that cannot be looked at: a finding that says so.
// It counts as one of ours, so that a folder's check does not skip it.
func (cc *chunkContext) failedResult(p *entry, fault *diag.Panic) *chunkResult {
	c := &chunkResult{context: cc, role: cc.role, version: cc.version, adk: cc.adk, isRecognised: true}
	c.Diagnostics = []diag.Diagnostic{fault.Diagnostic(lint.FirstLine(p.source))}
	return c
}

func (cc *chunkContext) checkUnguarded(p *entry) *chunkResult {
	part := cc.openChunk(p)
	c := cc.lintChunk(part, nil, nil)
	c.context = cc
	if cc.division == adkCases {
		c.unclosedBrackets = adk.UnclosedBrackets(p.source.Body)
		c.isMiscut = part.ADK.Fault == nil && len(part.Tree.Root().List()) != 1
	}
	c.Diagnostics = lint.Sort(c.Diagnostics)
	c.usesHeader = refersToHeader(c.Result)
	if cc.role == laterRole {
		for _, test := range part.Tree.Root().List() {
			c.needsHead = c.needsHead || v4.IsHeadOnly(test)
		}
	}
	for _, doc := range part.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			switch {
			case n.Kind == yaml.Alias && n.Target == nil:
				c.unresolvedAliases = append(c.unresolvedAliases, n.Value)
			case n.Kind == yaml.Alias && n.Target.Span.Start >= text.HeaderBase:
				c.headerAliases = append(c.headerAliases, n.Value)
			case n.Kind != yaml.Alias && n.Anchor != "":
				c.anchors = append(c.anchors, n.Anchor)
			}
			return true
		})
	}
	return c
}

// lintChunk has rules look at a part: of what stands around pieces, with the anchors
// that those repeat and, of an evalset, what there is in them.
func (cc *chunkContext) lintChunk(part *Chunk, aliased map[string]bool, brief *lint.EvalsetContents) *chunkResult {
	c := &chunkResult{role: part.Role, version: part.Version, isRecognised: cc.isRecognised(part)}
	if part.ADK != nil {
		c.adk = part.ADK.Role
	}
	if !cc.input.SkipLint {
		pass := cc.lintPass(part)
		pass.HeaderAliases, pass.Contents = aliased, brief
		c.Result = lint.Check(pass)
	}
	if cc.input.ForRun {
		c.suite = part.Suite
	}
	return c
}

// refersToHeader reports whether anything found has to do with the frame.
func refersToHeader(r lint.Result) bool {
	for _, d := range r.Diagnostics {
		if d.Span.Start >= text.HeaderBase {
			return true
		}
		for _, n := range d.Notes {
			if n.Span.Start >= text.HeaderBase {
				return true
			}
		}
		for _, f := range d.Fixes {
			for _, e := range f.Edits {
				if e.Span.Start >= text.HeaderBase {
					return true
				}
			}
		}
	}
	return false
}
