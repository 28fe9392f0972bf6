package ide

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// evalsetCache holds the evalset of each chunk without nodes and losses. The ADK version makes no
// difference for the cases.
var evalsetCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Set {
	set := adk.LowerSet(metric.Latest, *p.ADK)
	set.Cases, set.Losses = compactCases(set.Cases, unshifted), nil
	return set
})

// Evalset returns a whole evalset without nodes, with spans of the file.
func Evalset(a *analysis.Analysis) adk.Set {
	var set adk.Set
	for placement, data := range evalsetCache.Each(a) {
		if set.ID == "" {
			set.ID, set.Name, set.Description = data.ID, data.Name, data.Description
		}
		set.Cases = append(set.Cases, compactCases(data.Cases, placement.ToFile)...)
	}
	return set
}

// recordingCache holds the recorded results of each chunk without nodes and losses.
var recordingCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Recording {
	rec := adk.LowerResults(metric.Latest, *p.ADK)
	rec.Cases, rec.Losses = compactCases(rec.Cases, unshifted), nil
	return rec
})

// Recording returns all recorded results of a file without nodes, with spans of the file.
func Recording(a *analysis.Analysis) adk.Recording {
	var whole adk.Recording
	for placement, data := range recordingCache.Each(a) {
		whole.SetID = cmp.Or(whole.SetID, data.SetID)
		whole.AddCriteria(data.Criteria)
		whole.Cases = append(whole.Cases, compactCases(data.Cases, placement.ToFile)...)
	}
	return whole
}

// compactCases returns cases without their trees, with shifted spans.
func compactCases[C interface {
	Compact(shift func(text.Span) text.Span) C
}](cases []C, shift func(text.Span) text.Span) []C {
	compact := make([]C, len(cases))
	for i, c := range cases {
		compact[i] = c.Compact(shift)
	}
	return compact
}

// unshifted leaves a span relative to its chunk.
func unshifted(span text.Span) text.Span { return span }
