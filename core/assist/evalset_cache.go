package assist

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// evalsetCache are the parts of evalsets, without what takes room. By whose rules they are
// read makes no difference to what their cases are.
var evalsetCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Set {
	set := adk.LowerSet(metric.Latest, *p.ADK)
	for i, c := range set.Cases {
		set.Cases[i] = c.Compact(func(span text.Span) text.Span { return span })
	}
	set.Losses = nil
	return set
})

// Evalset is all of a file that is an evalset, without the nodes of its tree, and with
// places of the file.
func Evalset(a *analysis.Analysis) adk.Set {
	var set adk.Set
	for spot, part := range evalsetCache.Each(a) {
		if set.ID == "" {
			set.ID, set.Name, set.Description = part.ID, part.Name, part.Description
		}
		for _, c := range part.Cases {
			set.Cases = append(set.Cases, c.Compact(spot.ToFile))
		}
	}
	return set
}

// recordingCache are the parts of result files, without what takes room.
var recordingCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Recording {
	rec := adk.LowerResults(metric.Latest, *p.ADK)
	for i, c := range rec.Cases {
		rec.Cases[i] = c.Compact(func(span text.Span) text.Span { return span })
	}
	rec.Losses = nil
	return rec
})

// Recording is all of a file that is a result file, as [Evalset] is of an evalset.
func Recording(a *analysis.Analysis) adk.Recording {
	var whole adk.Recording
	for spot, part := range recordingCache.Each(a) {
		whole.SetID = cmp.Or(whole.SetID, part.SetID)
		for _, c := range part.Cases {
			whole.Cases = append(whole.Cases, c.Compact(spot.ToFile))
		}
	}
	return whole
}
