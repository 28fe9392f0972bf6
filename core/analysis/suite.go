package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// buildSuite lowers all chunks with spans of the file, including tests of other files.
func (cf *checkedFile) buildSuite() *rubric.Suite {
	cc, budget := *cf.context, v4.MaxCases
	cc.testBudget = &budget
	suite := &rubric.Suite{Dialect: agentv.Name, Name: cc.input.baseName()}
	switch cf.division {
	case undivided:
		return cc.openChunk(cf.source, 0, nil).Suite
	case adkCases:
		return cc.emptyADKSuite()
	case yamlList:
		if cc.lowerPart != nil {
			return cc.openFile(cf.source).Suite
		}
		cc.header = parseHeader(cc.headerSource, cf.key)
		cc.anchors = cc.header.AnchorsBefore(len(cf.head()))
		cc.header.MapSpans(cf.headerSpan)
		suite = cc.agentvReader().LowerSuite(cc.header)
	}
	scenarios := suite.Cases // they come after all tests
	suite.Cases = nil
	for i := range cf.results {
		tree := cc.parseChunk(cf.chunkSource(i), nil)
		tree.MapSpans(func(span text.Span) text.Span { return cf.fileSpan(i, span) })
		chunk := cc.lowerChunk(tree)
		if cf.division == jsonLines && i == 0 {
			copySuiteInfo(suite, chunk)
		}
		appendCases(suite, chunk)
	}
	suite.Cases = append(suite.Cases, scenarios...)
	return suite
}

func copySuiteInfo(to, from *rubric.Suite) {
	to.Name, to.Version, to.Description, to.Targets = from.Name, from.Version, from.Description, from.Targets
}

// appendCases adds the cases of a chunk, and its losses if they are new.
func appendCases(suite, chunk *rubric.Suite) {
	suite.Cases, suite.Skipped = append(suite.Cases, chunk.Cases...), append(suite.Skipped, chunk.Skipped...)
	suite.Losses = generic.AppendNew(suite.Losses, chunk.Losses...)
}

// Targets returns the targets that the file names.
func (a *Analysis) Targets() []string { return a.mainChunk().Suite.Targets }

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
	if cf.division == undivided || cf.division == adkCases || cf.context.lowerPart != nil || cf.context.otherFiles.HasEntries() || cf.headerResult != nil && len(cf.headerResult.suite.Cases) > 0 {
		return false
	}
	return !slices.ContainsFunc(cf.results, func(r *chunkResult) bool { return len(r.anchors)+len(r.unresolvedAliases) > 0 })
}

// SiblingEvalsets returns the evalsets of ADK in the folder of the file, as far as the host can read it.
func (a *Analysis) SiblingEvalsets() (sets []adk.Set) {
	if a.input.FolderNames == nil || a.input.ReadFile == nil {
		return nil
	}
	for _, name := range a.input.FolderNames() {
		if body, found := a.input.ReadFile(name); found && name != adk.ConfigName {
			if f := adk.Open(name, body); f.Role == adk.EvalSet {
				sets = append(sets, adk.LowerSet(metric.Latest, f))
			}
		}
	}
	return sets
}
