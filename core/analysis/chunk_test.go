package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// contentCache is all that a part is made of, spans and the rest of the file too.
var contentCache = analysis.NewChunkCache(func(p *analysis.Chunk) string {
	content := p.Source.Body + string(p.Role) + string(p.Version)
	for _, c := range append(p.Suite.Cases, p.Suite.Skipped...) {
		content += fmt.Sprint(c.ID, c.Span, len(c.Graders))
		for _, g := range c.Graders {
			content += fmt.Sprint(g.Span, p.Source.Slice(g.Span))
		}
	}
	if p.Header != nil {
		content += yaml.EncodeJSON(p.Header.Root(), "")
	}
	return content
})

// chunkContents is that of all parts, with where they are.
func chunkContents(a *analysis.Analysis) (all []string) {
	for spot, content := range contentCache.Each(a) {
		all = append(all, fmt.Sprint(spot.ToFile(text.Span{}), content))
	}
	return all
}

// TestChunkCache: a value stays cached until its chunk or the header changes.
func TestChunkCache(t *testing.T) {
	calls := 0
	memo := analysis.NewChunkCache(func(p *analysis.Chunk) int { calls++; return len(p.Source.Body) })
	body := corpustest.ManyCases(20) + "metadata: { a: 1 }\n"
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
	ask := func(name string, want int) {
		t.Helper()
		calls = 0
		total := 0
		for _, n := range memo.Each(a) {
			total += n
		}
		if total != a.Length() || calls != want {
			t.Errorf("%s: computed %d chunks, want %d; %d bytes of %d", name, calls, want, total, a.Length())
		}
	}
	insert := func(before, words string) {
		at := strings.Index(a.Source().Body, before)
		a = a.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: words})
	}
	few := 0
	for range memo.EachIn(a, text.Span{Start: a.Length() / 2, End: a.Length() / 2}, true) {
		few++
	}
	if calls != few || few < 3 || few > 4 {
		t.Errorf("at an offset: visited %d chunks and computed %d; want the header, one or two cases, and the last case", few, calls)
	}
	ask("at first", 21-few)
	ask("again", 0)
	insert("customer can do next\n    input", "x")
	ask("after an edit of a case", 1)
	insert("  # case 9", "  - id: new\n    expected_outcome: O\n    input: Q\n")
	ask("after a new case", 1)
	insert("A suite to", "x")
	ask("after an edit around them", 22)
	a = analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: "# nothing\n"})
	ask("without cases", 1)
}
