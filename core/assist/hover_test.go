package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/assist"
)

// TestHover checks the hover at each cursor and its span.
func TestHover(t *testing.T) {
	for _, path := range []string{"testdata/hover.txtar", "testdata/hover_adk.txtar"} {
		play(t, path, hovers)
	}
}

func hovers(t *testing.T, s scene) string {
	a, cursors := s.file()
	var b strings.Builder
	for i, cursor := range cursors {
		p, offset := chunkAt(a, cursor)
		h, ok := assist.HoverAt(p, offset, s.results)
		if !ok {
			fmt.Fprintf(&b, "[%d] nothing\n", i+1)
			continue
		}
		fmt.Fprintf(&b, "[%d] ⟦%s⟧\n%s\n\n", i+1, strings.ReplaceAll(a.Slice(p.ToFile(h.Span)), "\n", "⏎"), h.Markdown)
	}
	return b.String()
}
