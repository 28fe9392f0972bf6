package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func span(offset int) text.Span { return text.Span{Start: offset, End: offset} }

// TestLenses checks each lens and its line.
func TestLenses(t *testing.T) {
	for _, path := range []string{"testdata/lens.txtar", "testdata/lens_adk.txtar"} {
		play(t, path, lenses)
	}
}

func lenses(t *testing.T, s scene) string {
	a, _ := s.file()
	var b strings.Builder
	a.Chunks(func(p *analysis.Chunk) bool {
		for _, l := range assist.Lenses(p, s.results) {
			line := a.Position(p.ToFile(l.Span).Start, text.UTF8).Line + 1
			fmt.Fprintf(&b, "%d: %s", line, l.Title)
			if l.Command != "" {
				fmt.Fprintf(&b, " → %s(%s)", l.Command, l.CaseID)
			}
			b.WriteString("\n")
		}
		return true
	})
	return b.String()
}
