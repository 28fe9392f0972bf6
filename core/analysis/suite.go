package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// buildSuite lowers all chunks with spans of the file.
func (cf *checkedFile) buildSuite() *rubric.Suite {
	cc, suite := cf.inPlaceContext()
	if cf.division == undivided {
		return cc.openChunk(cf.results[0].source, false).Suite
	}
	if cf.division == adkCases {
		return cc.emptyADKSuite()
	}
	scenarios := suite.Cases // they come after all tests
	suite.Cases = nil
	for i := range cf.results {
		chunk := cc.lowerInPlace(cf, i)
		if cf.division == jsonLines && i == 0 {
			copySuiteInfo(suite, chunk)
		}
		appendCases(suite, chunk)
	}
	suite.Cases = append(suite.Cases, scenarios...)
	return suite
}

// inPlaceContext returns a context for lowering with spans of the file, including tests of
// other files, and the suite of the header.
func (cf *checkedFile) inPlaceContext() (chunkContext, *rubric.Suite) {
	cc, budget := *cf.context, v4.MaxExternalTests
	cc.testBudget = &budget
	if cf.division != yamlList {
		return cc, &rubric.Suite{Dialect: agentv.Name, Name: cc.input.baseName()}
	}
	cc.header = parseHeader(cc.headerSource, cf.key)
	cc.anchors = cc.header.AnchorsBefore(len(cf.head()))
	cc.header.MapSpans(cf.headerSpan)
	return cc, cc.lowerFile(cc.header)
}

// lowerInPlace lowers a chunk with spans of the file.
func (cc *chunkContext) lowerInPlace(cf *checkedFile, i int) *rubric.Suite {
	tree := cc.parseChunk(cf.results[i].source)
	tree.MapSpans(func(span text.Span) text.Span { return cf.fileSpan(i, span) })
	return cc.lowerChunk(tree)
}

func copySuiteInfo(to, from *rubric.Suite) {
	to.Name, to.Version, to.Description, to.Targets = from.Name, from.Version, from.Description, from.Targets
}

// appendCases adds the cases of a chunk, and its losses if they are new.
func appendCases(suite, chunk *rubric.Suite) {
	suite.Cases, suite.Skipped = append(suite.Cases, chunk.Cases...), append(suite.Skipped, chunk.Skipped...)
	for _, loss := range chunk.Losses {
		if !slices.Contains(suite.Losses, loss) {
			suite.Losses = append(suite.Losses, loss)
		}
	}
}

// Targets returns the targets that the file names.
func (a *Analysis) Targets() (names []string) {
	a.Chunks(func(c *Chunk) bool {
		names = c.Suite.Targets
		return false
	})
	return names
}

// RunSuite returns [Analysis.Suite] for running it: the spans are meaningless. With
// [Input.ForRun] it does not lower the file again. Independent says that no case depends on
// another, so that some of the cases and the header form a valid file.
func (a *Analysis) RunSuite() (suite *rubric.Suite, independent bool) {
	cf := a.checkedFile()
	if !a.input.ForRun || !cf.hasIndependentChunks() {
		return a.Suite(), false
	}
	suite = &rubric.Suite{Dialect: agentv.Name}
	copySuiteInfo(suite, cf.mainResult().suite)
	if cf.division == yamlList {
		suite.Losses = slices.Clone(cf.headerResult.suite.Losses)
	}
	for _, r := range cf.results {
		if r.suite == nil { // its check panicked, and so does Suite: a run never skips a case silently
			return a.Suite(), false
		}
		appendCases(suite, r.suite)
	}
	return suite, true
}

// hasIndependentChunks reports whether no chunk depends on another chunk or on tests of
// other files.
func (cf *checkedFile) hasIndependentChunks() bool {
	if cf.division == undivided || cf.division == adkCases || cf.context.otherFiles.HasEntries() || cf.headerResult != nil && len(cf.headerResult.suite.Cases) > 0 {
		return false
	}
	return !slices.ContainsFunc(cf.results, func(r *chunkResult) bool { return len(r.anchors)+len(r.unresolvedAliases) > 0 })
}

// CaseRef is the id of a case and the span that stands for it.
type CaseRef struct {
	ID   string
	Span text.Span // of the file
}

// chunkCases are the cases of a chunk, with spans of the chunk.
type chunkCases struct {
	cases             []CaseRef
	hasFileReferences bool // tests of other files share one budget between all chunks
}

var caseRefCache = NewChunkCache(func(c *Chunk) (cc chunkCases) {
	cc.cases = caseRefs(c.Suite)
	for _, doc := range c.Tree.Docs {
		for _, test := range append(doc.Root.List(), doc.Root) {
			_, isReference := test.Str()
			cc.hasFileReferences = cc.hasFileReferences || isReference
		}
	}
	return cc
})

func caseRefs(suite *rubric.Suite) (refs []CaseRef) {
	for _, c := range suite.Cases {
		refs = append(refs, CaseRef{c.ID, c.SelectionSpan})
	}
	return refs
}

// CaseRefs returns the cases of [Analysis.Suite] in order. After an edit it lowers only the
// edited cases.
func (a *Analysis) CaseRefs() (all []CaseRef) {
	if !a.hasIndependentCases() {
		return caseRefs(a.Suite())
	}
	var scenarios []CaseRef // they come after all tests
	for placement, chunk := range caseRefCache.Each(a) {
		to := &all
		if placement.index < 0 {
			to = &scenarios
		}
		for _, c := range chunk.cases {
			*to = append(*to, CaseRef{c.ID, placement.ToFile(c.Span)})
		}
	}
	return append(all, scenarios...)
}

// Case returns the first case of [Analysis.Suite] with an id, or nil. It lowers only that
// case if it can.
func (a *Analysis) Case(id string) *rubric.Case {
	if !a.hasIndependentCases() {
		return a.Suite().Case(id)
	}
	cf, inHeader := a.checkedFile(), false
	for placement, chunk := range caseRefCache.Each(a) {
		switch found := slices.ContainsFunc(chunk.cases, func(c CaseRef) bool { return c.ID == id }); {
		case found && placement.index < 0:
			inHeader = true
		case found:
			cc, _ := cf.inPlaceContext()
			return cc.lowerInPlace(cf, placement.index).Case(id)
		}
	}
	if !inHeader {
		return nil
	}
	_, scenarios := cf.inPlaceContext()
	return scenarios.Case(id)
}

// hasIndependentCases reports whether the cases of a chunk depend on no other chunk.
func (a *Analysis) hasIndependentCases() bool {
	if cf := a.checkedFile(); cf.division == undivided || cf.division == adkCases {
		return false
	}
	for _, chunk := range caseRefCache.Each(a) {
		if chunk.hasFileReferences {
			return false
		}
	}
	return true
}
