package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// bareSets are the parts of evalsets, without what takes room. By whose rules they are
// read makes no difference to what their cases are.
var bareSets = analysis.NewMemo(func(p *analysis.Part) adk.Set {
	set := adk.LowerSet(metric.Latest, *p.ADK)
	for i, c := range set.Cases {
		set.Cases[i] = c.Bare(func(span text.Span) text.Span { return span })
	}
	set.Losses = nil
	return set
})

// Evalset is all of a file that is an evalset, without the nodes of its tree, and with
// places of the file.
func Evalset(a *analysis.Analysis) adk.Set {
	var whole adk.Set
	for spot, part := range bareSets.Each(a) {
		if whole.ID == "" {
			whole.ID, whole.Name, whole.Description = part.ID, part.Name, part.Description
		}
		for _, c := range part.Cases {
			whole.Cases = append(whole.Cases, c.Bare(spot.Place))
		}
	}
	return whole
}
