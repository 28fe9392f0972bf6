package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// RunSuite is [Analysis.Suite] for who runs the cases of a file and shows nobody where
// they stand: its spans are of no use. Of a file that was read [Input.ToRun] it
// takes no second reading. Apart says that each case means what it does whichever
// others stand beside it, so that some of a file's cases and what stands around the
// list can be taken for a file.
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
	for _, p := range cf.all() {
		if p.result.suite == nil {
			return a.Suite(), false // which panics as the piece did: no case is left out in silence
		}
		appendCases(suite, p.result.suite)
	}
	return suite, true
}

// hasIndependentChunks reports whether the pieces have nothing to do with each other, and no
// cases come from elsewhere.
func (cf *checkedFile) hasIndependentChunks() bool {
	if cf.division == undivided || cf.division == adkCases || cf.context.otherFiles.HasEntries() || cf.headerResult != nil && len(cf.headerResult.suite.Cases) > 0 {
		return false
	}
	for c := range cf.crossRefs() {
		if len(c.anchors)+len(c.unresolvedAliases) > 0 {
			return false
		}
	}
	return true
}
