package analysis

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// chunkResult is the result of linting a chunk, and what other chunks need to know of it.
// Spans are those of the chunk; those of the header start at text.HeaderBase.
type chunkResult struct {
	lint.Result
	values       valueList     // of chunk caches
	suite        *rubric.Suite // for Input.ForRun, else nil
	context      *chunkContext // in which the chunk was checked
	role         agentv.Role
	version      agentv.Version
	adk          adk.Role
	isRecognised bool
	usesHeader   bool // a diagnostic has a span in the header

	// Cross references between chunks:
	needsHead         bool     // a test requires version Head
	anchors           []string // that the chunk defines
	headerAliases     []string // anchors of the header that the chunk refers to
	unresolvedAliases []string // anchors neither in the chunk nor in the header
	unclosedBrackets  string   // for adkCases
	isMiscut          bool     // for adkCases: valid, but not one case
}

func (r *chunkResult) hasCrossRefs() bool {
	return len(r.anchors)+len(r.headerAliases)+len(r.unresolvedAliases)+len(r.unclosedBrackets) > 0 || r.needsHead || r.isMiscut
}

// equalFacts reports whether the facts of two results resolve in the same way.
func equalFacts(a, b *chunkResult) bool {
	return a == b || a.Summary.Equal(b.Summary) && slices.EqualFunc(a.Facts, b.Facts, func(f, g lint.Fact) bool {
		return f.Key == g.Key && f.IsTool == g.IsTool && f.Diagnostic.Code == g.Diagnostic.Code && f.IsSilenced == g.IsSilenced
	})
}

// checkChunk lints a chunk. A panic becomes a diagnostic.
func (cc *chunkContext) checkChunk(e *entry) (r *chunkResult) {
	caught := diag.CatchPanic(func() {
		c := cc.openChunk(e)
		r = cc.lintChunk(c, nil, nil)
		r.Diagnostics = lint.Sort(r.Diagnostics)
		r.usesHeader = slices.ContainsFunc(r.Diagnostics, refersToHeader)
		r.findCrossRefs(c, e)
	})
	if caught != nil {
		return cc.failedResult(e, caught)
	}
	return r
}

// failedResult is the result of a chunk whose check panicked. It counts as recognised, so
// that a folder's check does not skip the file.
func (cc *chunkContext) failedResult(e *entry, caught *diag.Panic) *chunkResult {
	r := &chunkResult{context: cc, role: cc.role, version: cc.version, adk: cc.adk, isRecognised: true}
	r.Diagnostics = []diag.Diagnostic{caught.Diagnostic(lint.FirstLine(e.source))}
	return r
}

// lintChunk lints a chunk. For a header it takes the aliases of its anchors in other chunks
// and, of an evalset, the contents of the cases.
func (cc *chunkContext) lintChunk(c *Chunk, headerAliases map[string]bool, contents *lint.EvalsetContents) *chunkResult {
	r := &chunkResult{context: cc, role: c.Role, version: c.Version}
	r.isRecognised = c.ADK != nil || agentv.IsRecognised(c.Role, cc.input.Path, c.Tree.Root()) || c.Role == agentv.Cases && cc.input.Sidecar != nil
	if c.ADK != nil {
		r.adk = c.ADK.Role
	}
	if !cc.input.SkipLint {
		pass := cc.lintPass(c)
		pass.HeaderAliases, pass.Contents = headerAliases, contents
		r.Result = lint.Check(pass)
	}
	if cc.input.ForRun {
		r.suite = c.Suite
	}
	return r
}

// refersToHeader reports whether a diagnostic has a span in the header.
func refersToHeader(d diag.Diagnostic) (found bool) {
	d.MapSpans(func(span text.Span) text.Span {
		found = found || span.Start >= text.HeaderBase
		return span
	})
	return found
}

func (r *chunkResult) findCrossRefs(c *Chunk, e *entry) {
	if r.context.division == adkCases {
		r.unclosedBrackets = adk.UnclosedBrackets(e.source.Body)
		r.isMiscut = c.ADK.Fault == nil && len(c.Tree.Root().List()) != 1
	}
	if r.context.role == agentv.EvalV4 {
		r.needsHead = slices.ContainsFunc(c.Tree.Root().List(), v4.IsHeadOnly)
	}
	for _, doc := range c.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			switch {
			case n.Kind == yaml.Alias && n.Target == nil:
				r.unresolvedAliases = append(r.unresolvedAliases, n.Value)
			case n.Kind == yaml.Alias && n.Target.Span.Start >= text.HeaderBase:
				r.headerAliases = append(r.headerAliases, n.Value)
			case n.Kind != yaml.Alias && n.Anchor != "":
				r.anchors = append(r.anchors, n.Anchor)
			}
			return true
		})
	}
}

// checkedFile is a layout with all chunks checked in one context. It is immutable.
type checkedFile struct {
	layout
	context       *chunkContext
	crossRefs     []*chunkResult // results of chunks that have cross references
	contents      lint.EvalsetContents
	headerResult  *chunkResult // nil without a header
	headerAliases []string     // anchors of the header that chunks refer to, sorted
	resolutions   []lint.Resolution
	factsID       *byte        // equal for versions whose facts resolve in the same way
	divided       *checkedFile // of an undivided file: the division that was rejected
}

// checkLayout checks the chunks of a layout whose results are missing or not current. It
// reuses what it can of previous, which may be nil.
func checkLayout(cc *chunkContext, l *layout, previous *checkedFile) *checkedFile {
	cf := &checkedFile{layout: *l, context: cc}
	isCopied := false
	for i := range cf.entries {
		e := &cf.entries[i]
		if e.result == nil || !cc.isCurrent(e.result) {
			if e.result != nil { // other layouts use this result
				if !isCopied {
					cf.entries, isCopied = slices.Clone(cf.entries), true
					e = &cf.entries[i]
				}
				e.resultSlot = &resultSlot{}
			}
			e.result = cc.checkChunk(e)
		}
		if e.result.hasCrossRefs() {
			cf.crossRefs = append(cf.crossRefs, e.result)
		}
		cf.contents = cf.contents.Union(e.result.Summary.EvalsetContents)
	}
	cf.checkHeader(previous)
	if cf.hasSameFacts(previous) {
		cf.resolutions, cf.factsID = previous.resolutions, previous.factsID
		return cf
	}
	results := make([]*lint.Result, len(cf.entries))
	for i, e := range cf.entries {
		results[i] = &e.result.Result
	}
	cf.resolutions, cf.factsID = lint.ResolveFacts(results), new(byte)
	return cf
}

func (cf *checkedFile) hasSameFacts(previous *checkedFile) bool {
	return previous != nil && slices.EqualFunc(previous.entries, cf.entries, func(a, b entry) bool { return equalFacts(a.result, b.result) })
}

// checkHeader lints the header, unless the result of previous is still valid.
func (cf *checkedFile) checkHeader(previous *checkedFile) {
	if !cf.division.hasHeader() {
		return
	}
	used := map[string]bool{}
	for _, r := range cf.crossRefs {
		for _, name := range r.headerAliases {
			used[name] = true
		}
	}
	cf.headerAliases = slices.Sorted(maps.Keys(used))
	if previous != nil && previous.headerResult != nil && previous.context.headerText == cf.context.headerText && previous.context.version == cf.context.version && slices.Equal(previous.headerAliases, cf.headerAliases) && previous.contents == cf.contents {
		cf.headerResult = previous.headerResult
		return
	}
	header := cf.openChunk(headerStart, nil)
	var contents *lint.EvalsetContents
	if header.ADK != nil {
		contents = &cf.contents
	}
	cf.headerResult = cf.context.lintChunk(header, used, contents)
}

// computeVersion returns the version of a file for a later version, by its header and tests.
func (cf *checkedFile) computeVersion() agentv.Version {
	if cf.division != yamlList || cf.context.role != agentv.EvalV4 {
		return ""
	}
	version := v4.DetectVersion(cf.context.header.Root())
	if version == agentv.V4 && slices.ContainsFunc(cf.crossRefs, func(r *chunkResult) bool { return r.needsHead }) {
		return agentv.Head
	}
	return version
}

// mainResult returns the result that shows the file's role: that of the header or of the
// first chunk.
func (cf *checkedFile) mainResult() *chunkResult {
	if cf.division.hasHeader() {
		return cf.headerResult
	}
	return cf.entries[0].result
}

// isMisdivided reports whether chunks depend on each other: one refers to an anchor that
// another defines, or one closes brackets of another.
func (cf *checkedFile) isMisdivided() bool {
	switch cf.division {
	case yamlList:
	case adkCases:
		return cf.hasMiscutCases()
	default:
		return false
	}
	defined := map[string]bool{}
	for _, r := range cf.crossRefs {
		for _, name := range r.anchors {
			defined[name] = true
		}
	}
	if len(defined) == 0 {
		return false
	}
	isDefined := func(name string) bool { return defined[name] }
	for _, r := range cf.crossRefs {
		if slices.ContainsFunc(r.headerAliases, isDefined) || slices.ContainsFunc(r.unresolvedAliases, isDefined) {
			return true
		}
	}
	for name := range cf.context.anchors {
		if defined[name] { // the position of an alias decides which anchor it means
			return true
		}
	}
	return strings.Contains(cf.tail, "*")
}

// hasMiscutCases reports whether ADK's cases start elsewhere: brackets are balanced in the
// whole file but not in each case, or a chunk has several cases.
func (cf *checkedFile) hasMiscutCases() bool {
	all, isOpen := cf.head, false
	for _, r := range cf.crossRefs {
		if r.isMiscut {
			return true
		}
		all += r.unclosedBrackets
		isOpen = isOpen || r.unclosedBrackets != ""
	}
	return isOpen && adk.UnclosedBrackets(all+cf.tail) == ""
}
