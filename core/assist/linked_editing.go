package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// LinkedSpans are the places of a file that change together while one of them, at the
// offset, is typed in: an anchor and its aliases, a grader's name and its weight.
// There are at least two, all with the same text; otherwise there are none.
func LinkedSpans(a *analysis.Analysis, offset int) (spans []text.Span) {
	uses, _ := usesAt(a, offset, nil)
	for _, u := range uses {
		if a.Slice(u.Location.Span) != a.Slice(uses[0].Location.Span) {
			return nil
		}
		spans = append(spans, u.Location.Span)
	}
	if countDeclarations(uses) != 1 || len(spans) < 2 {
		return nil
	}
	return spans
}

// LinkedPattern is what linked places may hold, as a regular expression that
// JavaScript and Go both know.
const LinkedPattern = `[^\s,\[\]{}:#&*'"]+`
