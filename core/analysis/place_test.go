package analysis_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// TestSpan: a client's range is where it says in the file; one whose ends are swapped
// is empty at its start, and one beyond the text ends with it.
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
