package analysis_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
)

// TestBlockCache: what is gathered of parts that stand together is kept until one of
// them changes, and leads to each of them wherever they have moved.
func TestBlockCache(t *testing.T) {
	type member struct {
		analysis.ChunkOffset
		content string
	}
	calls := 0
	gather := analysis.NewBlockCache(contentCache, func(all iter.Seq2[analysis.ChunkOffset, string]) (members []member) {
		calls++
		for step, content := range all {
			members = append(members, member{step, content})
		}
		return members
	})
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: manyCases(1000) + "metadata: { a: 1 }\n"})
	ask := func(name string, want int) {
		t.Helper()
		var all []string
		calls = 0
		for spot, members := range gather.Each(a) {
			for _, m := range members {
				all = append(all, fmt.Sprint(spot.Add(m.ChunkOffset).ToFile(text.Span{}), m.content))
			}
		}
		if !slices.Equal(all, chunkContents(a)) {
			t.Errorf("%s: it is not what the parts are, one by one", name)
		}
		if calls != want {
			t.Errorf("%s: gathered %d times, want %d", name, calls, want)
		}
	}
	insert := func(before, words string) {
		at := strings.Index(a.Source().Body, before)
		a = a.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: words})
	}
	ask("at first", 11)
	ask("again", 0)
	insert("  # case 450", "\n\n")
	ask("after an edit between two cases", 1)
	insert("A suite to", "x")
	ask("after an edit around them", 11)
	a = analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: "# nothing\n"})
	ask("without cases", 1)
}
