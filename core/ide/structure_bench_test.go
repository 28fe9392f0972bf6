package ide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/fold"
	"github.com/rubric-ls/rubric/core/ide/format"
	"github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/ide/outline"
	"github.com/rubric-ls/rubric/core/ide/selection"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
)

// manyCases returns the analysis of a file with n cases.
func manyCases(n int) *analysis.Analysis {
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: corpustest.ManyCases(n)})
	a.Diagnostics()
	return a
}

// BenchmarkPlace covers requests about one place. Their cost must not depend on the number of cases.
func BenchmarkPlace(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		a := manyCases(n)
		at := strings.Index(a.Source().Body, fmt.Sprintf("- id: case-%d\n", n/2)) + len("- id: c")
		for _, question := range []struct {
			name string
			ask  func()
		}{
			{"selections", func() { p := a.ChunkAt(at); selection.Selections(p, p.FromFile(at)) }},
			{"highlights", func() { navigation.HighlightsAt(newFile(a), at) }},
			{"enter", func() { format.FormatOnEnter(a, at) }},
			{"refactorings", func() { action.Refactorings(a, at) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", question.name, n), func(b *testing.B) {
				for b.Loop() {
					question.ask()
				}
			})
		}
	}
}

// BenchmarkWhole covers requests about a whole file. They may cost as much as parsing it.
func BenchmarkWhole(b *testing.B) {
	a := manyCases(1000)
	body := a.Source().Body
	for _, question := range []struct {
		name string
		ask  func()
	}{
		{"parts", func() { a.Chunks(func(*analysis.Chunk) bool { return true }) }},
		{"symbols", func() { fileSymbols(a) }},
		{"folds", func() { fold.FoldsIn(a, text.Span{End: a.Length()}) }},
		{"tokens", func() { a.Chunks(func(p *analysis.Chunk) bool { token.Tokens(p); return true }) }},
		{"format", func() { format.FormatRange(a, text.Span{End: len(body)}) }},
	} {
		b.Run(question.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				question.ask()
			}
		})
	}
}

// fileSymbols returns the outline of a whole file.
func fileSymbols(a *analysis.Analysis) []ide.DocumentSymbol {
	return outline.Tree(newFile(a), text.Span{End: a.Length()})
}
