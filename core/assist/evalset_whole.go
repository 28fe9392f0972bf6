package assist

import (
	"cmp"

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

// bareRecordings are the parts of result files, without what takes room.
var bareRecordings = analysis.NewMemo(func(p *analysis.Part) adk.Recording {
	rec := adk.LowerResults(metric.Latest, *p.ADK)
	for i, c := range rec.Cases {
		rec.Cases[i] = c.Bare(func(span text.Span) text.Span { return span })
	}
	rec.Losses = nil
	return rec
})

// Recorded is all of a file that is a result file, as [Evalset] is of an evalset.
func Recorded(a *analysis.Analysis) adk.Recording {
	var whole adk.Recording
	for spot, part := range bareRecordings.Each(a) {
		whole.SetID = cmp.Or(whole.SetID, part.SetID)
		for _, c := range part.Cases {
			whole.Cases = append(whole.Cases, c.Bare(spot.Place))
		}
	}
	return whole
}
