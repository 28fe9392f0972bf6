package analysis

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// ToRun is [Analysis.Suite] for who runs the cases of a file and shows nobody where
// they stand: its spans are of no use. Of a file that was read [Input.ToRun] it
// takes no second reading. Apart says that each case means what it does whichever
// others stand beside it, so that some of a file's cases and what stands around the
// list can be taken for a file.
func (a *Analysis) ToRun() (suite *rubric.Suite, apart bool) {
	v := a.settled()
	if !a.input.ToRun || !v.independent() {
		return a.Suite(), false
	}
	suite = &rubric.Suite{Dialect: agentv.Name}
	named(suite, v.face().suite)
	if v.form == listed {
		suite.Losses = slices.Clone(v.around.suite.Losses)
	}
	for _, p := range v.all() {
		if p.done.suite == nil {
			return a.Suite(), false // which panics as the piece did: no case is left out in silence
		}
		gather(suite, p.done.suite)
	}
	return suite, true
}

// independent reports whether the pieces have nothing to do with each other, and no
// cases come from elsewhere.
func (v *view) independent() bool {
	if v.form == undivided || v.form == cases || v.context.others.Asked() || v.around != nil && len(v.around.suite.Cases) > 0 {
		return false
	}
	for c := range v.linked() {
		if len(c.defines)+len(c.lost) > 0 {
			return false
		}
	}
	return true
}
