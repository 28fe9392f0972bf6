package ide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/fold"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/ide/inlay"
	"github.com/rubric-ls/rubric/core/text"
)

// many returns a file with that many cases, and the offset of the key `weight` in the middle one.
func many(cases int) (a *analysis.Analysis, weight int) {
	var b strings.Builder
	b.WriteString("description: many\nevalcases:\n")
	for i := range cases {
		fmt.Fprintf(&b, `  - id: case-%d
    expected_outcome: Explains the refund policy and the next step
    input: Can I send lamp %d back?
    rubrics:
      - id: window
        expected_outcome: States that the refund window is 30 days
        `, i, i)
		if i == cases/2 {
			weight = b.Len()
		}
		b.WriteString("weight: 2\n      - Names the next step\n      - id: tone\n        expected_outcome: Is friendly\n" +
			"        score_ranges: { 0: Rude, 4: Neutral, 8: Friendly }\n")
	}
	a = analysis.Of(analysis.Input{Path: "many.eval.yaml", Text: b.String()})
	a.ChunkAt(weight) // warms the caches
	return a, weight
}

// BenchmarkHover and BenchmarkComplete must not depend on the size of the file: they parse one case.
func BenchmarkHover(b *testing.B) {
	for _, cases := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint(cases), func(b *testing.B) {
			a, weight := many(cases)
			for b.Loop() {
				p, offset := chunkAt(a, weight)
				if _, ok := hover.Describe(p, offset, nil); !ok {
					b.Fatal("nothing")
				}
			}
		})
	}
}

func BenchmarkComplete(b *testing.B) {
	for _, cases := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint(cases), func(b *testing.B) {
			a, weight := many(cases)
			for b.Loop() {
				p, offset := chunkAt(a, weight)
				if len(completion.Complete(p, offset, host)) == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
}

// BenchmarkHints covers the cases that an editor shows at a time.
func BenchmarkHints(b *testing.B) {
	a, weight := many(100)
	for b.Loop() {
		p, _ := chunkAt(a, weight)
		if len(inlay.Hints(p, nil))+len(fileLenses(a, nil)) == 0 {
			b.Fatal("nothing")
		}
	}
}

// BenchmarkAfterEdit covers what editors request for a whole file after every keystroke.
func BenchmarkAfterEdit(b *testing.B) {
	for name, ask := range map[string]func(*analysis.Analysis) int{
		"symbols": func(a *analysis.Analysis) int { return len(fileSymbols(a)) },
		"folds":   func(a *analysis.Analysis) int { return len(fold.FoldsIn(a, text.Span{End: a.Length()})) },
	} {
		for _, cases := range []int{100, 10_000} {
			b.Run(fmt.Sprint(name, "/", cases), func(b *testing.B) {
				a, weight := many(cases)
				ask(a)
				edits := []text.Edit{{Span: text.Span{Start: weight, End: weight}, New: "x"}, {Span: text.Span{Start: weight, End: weight + 1}}}
				for i := 0; b.Loop(); i++ {
					a = a.Edit(edits[i%2])
					if ask(a) == 0 {
						b.Fatal("nothing")
					}
				}
			})
		}
	}
}
