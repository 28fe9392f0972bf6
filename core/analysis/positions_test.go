package analysis_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// TestSpan converts ranges of a client. If the ends are swapped, the span is empty at its
// start; a range beyond the text ends at its end.
func TestSpan(t *testing.T) {
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: "# a😀\nevalcases: []\n"})
	first, second := text.Position{Character: 3}, text.Position{Line: 1, Character: 2}
	for _, c := range []struct {
		name string
		of   text.Range
		want text.Span
	}{
		{"over a line's end", text.Range{Start: first, End: second}, text.Span{Start: 3, End: 10}},
		{"swapped", text.Range{Start: second, End: first}, text.Span{Start: 10, End: 10}},
		{"beyond the text", text.Range{Start: second, End: text.Position{Line: 9}}, text.Span{Start: 10, End: 22}},
	} {
		if got := a.Span(c.of, text.UTF16); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
