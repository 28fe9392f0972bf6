// Slow and sequential: the race detector makes it ten times slower and has nothing to find.

//go:build !race

package ide_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/ide/inlay"
	"github.com/rubric-ls/rubric/core/text"
)

// checkReading requests hover and completion at an offset, and checks their invariants.
func checkReading(t *testing.T, a *analysis.Analysis, offset int, results ide.Results) {
	t.Helper()
	p, local := chunkAt(a, offset)
	whole := text.Span{End: len(p.Source.Body)}
	if h, ok := hover.Describe(p, local, results); ok && (!whole.Contains(h.Span) || h.Markdown == "") {
		t.Fatalf("at %d the hover is of %v in %d bytes", offset, h.Span, whole.End)
	}
	cursor := min(local, p.Source.LineSpan(p.Source.OffsetLine(local)).End) // never between CR and LF
	for _, item := range completion.Complete(p, local, host) {
		e := item.Edit
		if !whole.Contains(e.Span) || !e.Span.Touches(cursor) || strings.ContainsAny(p.Source.Slice(e.Span), "\n\r") {
			t.Fatalf("at %d `%s` replaces %v (%q)", offset, item.Label, e.Span, p.Source.Slice(e.Span))
		}
		for _, s := range item.Stops {
			if s.Start < 0 || s.End < s.Start || s.End > len(e.New) {
				t.Fatalf("at %d `%s` stops at %v of %d bytes", offset, item.Label, s, len(e.New))
			}
		}
	}
}

// checkChunks requests hints and lenses of all chunks, and checks their invariants.
func checkChunks(t *testing.T, a *analysis.Analysis, results ide.Results) {
	t.Helper()
	a.Chunks(func(p *analysis.Chunk) bool {
		last := 0
		for _, h := range inlay.Hints(p, results) {
			if h.Offset < last || h.Offset > len(p.Source.Body) || h.Label == "" {
				t.Fatalf("a hint stands at %d of %d bytes, after one at %d", h.Offset, len(p.Source.Body), last)
			}
			last = h.Offset
		}
		return true
	})
	lines := a.Source().OffsetPosition(a.Length(), text.UTF8).Line
	for _, l := range fileLenses(a, results) {
		if l.Range.End.Line > lines || l.Range.Start.Line != l.Range.End.Line || l.Command.Title == "" {
			t.Fatalf("a lens stands at %v of %d lines", l.Range, lines)
		}
	}
}

// visitTexts visits the eval files of the repository and the inputs of its tests.
func visitTexts(t *testing.T, visit func(path, body string)) {
	t.Helper()
	for _, file := range corpustest.All(t, ".yaml", ".yml", ".jsonl", ".txt", ".txtar") {
		path := file.Path
		if !strings.HasSuffix(path, "l") {
			path += ".eval.yaml"
		}
		if len(file.Body) <= 60_000 {
			visit(path, file.Body)
		}
	}
}

// TestNoOffsetPanics requests answers all over the corpus, in whole files and in files that end at
// the offset, as during typing.
func TestNoOffsetPanics(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const places = 6
	visitTexts(t, func(path, body string) {
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		checkChunks(t, a, nil)
		for i := range places {
			offset := len(body) * (2*i + 1) / (2 * places)
			for offset > 0 && !utf8.RuneStart(body[min(offset, len(body)-1)]) {
				offset--
			}
			checkReading(t, a, offset, nil)
		}
		cut := len(body) / 2
		for cut > 0 && !utf8.RuneStart(body[min(cut, len(body)-1)]) {
			cut--
		}
		half := analysis.Of(analysis.Input{Path: path, Text: body[:cut]})
		checkReading(t, half, cut, nil)
		checkChunks(t, half, nil)
	})
}

// FuzzReading requests answers at any offset of any text.
func FuzzReading(f *testing.F) {
	for _, path := range []string{"testdata/complete.txtar", "testdata/hover.txtar", "testdata/inlay.txtar", "testdata/complete_adk.txtar", "testdata/hover_adk.txtar"} {
		archive, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, marked := range strings.Split(string(archive), "\n-- ") {
			head, body, _ := strings.Cut(marked, "\n")
			if i := strings.Index(body, mark); i >= 0 {
				f.Add(strings.Fields(head)[0], strings.ReplaceAll(body, mark, ""), i)
			}
		}
	}
	f.Fuzz(func(t *testing.T, path, body string, offset int) {
		if len(body) > 2_000 {
			return
		}
		a := analysis.Of(analysis.Input{Path: path, Text: body})
		checkReading(t, a, max(0, min(offset, len(body))), nil)
		checkChunks(t, a, nil)
	})
}

// TestADKAnywhere requests answers everywhere in ADK files, whole and cut off.
func TestADKAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, path := range []string{"testdata/hover_adk.txtar", "testdata/complete_adk.txtar", "testdata/lens_adk.txtar"} {
		archive, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var lead strings.Builder
		for _, s := range scenes(t, string(archive), &lead) {
			a, _ := s.file()
			body := a.Source().Body
			for offset := 0; offset <= len(body); offset += 3 {
				if offset < len(body) && !utf8.RuneStart(body[offset]) {
					continue
				}
				checkReading(t, a, offset, nil)
				half := analysis.Of(analysis.Input{Path: strings.Fields(s.name)[0], Text: body[:offset]})
				checkReading(t, half, offset, nil)
				checkChunks(t, half, nil)
				checkAnswers(t, half)
				checkAt(t, half, offset)
			}
		}
	}
}
