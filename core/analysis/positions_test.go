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

// TestRangeOf: RangeOf equals Range of the span, before and after edits.
func TestRangeOf(t *testing.T) {
	yaml := "# 😀\nevalcases:\n  - {id: a, input: 😀, wieght: 1}\n  - id: b\n    wieght: 1\nwieght: 1\n"
	for path, body := range map[string]string{
		"x.eval.yaml":    yaml,
		"x.eval.jsonl":   `{"id":"😀","wieght":1}` + "\r\n" + `{"id":"b","wieght":1}`,
		"x.evalset.json": `{"eval_set_id":"😀","eval_cases":[{"eval_id":"😀","conversation":[],"wieght":1},{"eval_id":"b","conversation":[],"wieght":1}]}`,
	} {
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		for range 2 {
			found := a.FindingsIn(text.Span{End: a.Length()}, nil)
			if len(found) < 2 {
				t.Errorf("%s: %d findings", path, len(found))
			}
			for _, f := range found {
				for _, enc := range []text.Encoding{text.UTF8, text.UTF16, text.UTF32} {
					if got, want := a.RangeOf(f, enc), a.Range(f.SpanInFile(), enc); got != want {
						t.Errorf("%s: %s at %v, want %v", path, f.Message, got, want)
					}
				}
			}
			a = a.Edit(text.Edit{New: "\n"})
		}
	}
}
