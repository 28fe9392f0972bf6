package assist_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
)

// TestHints checks the text with its hints.
func TestHints(t *testing.T) {
	play(t, "testdata/inlay.txtar", func(t *testing.T, s scene) string {
		a, _ := s.file()
		body := a.Source().Body
		var b strings.Builder
		at := 0
		a.Chunks(func(p *analysis.Chunk) bool {
			for _, h := range assist.Hints(p, s.results) {
				place := p.ToFile(span(h.Offset)).Start
				b.WriteString(body[at:place] + "⟦" + h.Label + "⟧")
				at = place
			}
			return true
		})
		return b.String() + body[at:]
	})
}
