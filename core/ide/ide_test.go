package ide_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/ide/inlay"
	"github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

var update = flag.Bool("update", false, "write what is found into the marker files")

// mark is the cursor in marker files.
const mark = "▮"

// scene is a file with cursors and the expected answers.
type scene struct {
	name    string
	body    string
	ran     string // content of results.json; "" without it
	results ide.Results
	want    string
}

// file returns the scene's text without cursors, and the cursors' offsets.
func (s scene) file() (a *analysis.Analysis, cursors []int) {
	var b strings.Builder
	for i, chunk := range strings.Split(s.body, mark) {
		if i > 0 {
			cursors = append(cursors, b.Len())
		}
		b.WriteString(chunk)
	}
	return analysis.Of(analysis.Input{Path: strings.Fields(s.name)[0], Text: b.String()}), cursors
}

// play compares the scenes of a marker file with the results of answer. A marker file is a txtar
// archive of repeated groups: a text, optionally results.json, and want. Words after a text's name
// describe it.
func play(t *testing.T, path string, answer func(t *testing.T, s scene) string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, s := range scenes(t, string(file), &out) {
		t.Run(s.name, func(t *testing.T) {
			got := strings.TrimRight(answer(t, s), "\n")
			if got != "" {
				got += "\n"
			}
			if *update {
				out.WriteString(strings.Replace(s.source(), wantHead, wantHead+got, 1))
			} else if got != s.want {
				t.Errorf("got\n%s\nwant\n%s", got, s.want)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const wantHead = "-- want --\n"

// source returns the scene as in its file, without the expected answers.
func (s scene) source() string {
	source := "-- " + s.name + " --\n" + s.body
	if s.ran != "" {
		source += "-- results.json --\n" + s.ran
	}
	return source + wantHead
}

// scenes reads an archive. Text before the first file goes to lead.
func scenes(t *testing.T, archive string, lead *strings.Builder) (all []scene) {
	t.Helper()
	var into *string
	for line := range strings.Lines(archive) {
		head, isHead := strings.CutPrefix(line, "-- ")
		name, closes := strings.CutSuffix(head, " --\n")
		if !isHead || !closes {
			if into == nil {
				lead.WriteString(line)
			} else {
				*into += line
			}
			continue
		}
		switch name {
		case "want":
			into = &all[len(all)-1].want
		case "results.json":
			into = &all[len(all)-1].ran
		default:
			all = append(all, scene{name: name})
			into = &all[len(all)-1].body
		}
	}
	for i := range all {
		if all[i].ran == "" {
			continue
		}
		if err := json.Unmarshal([]byte(all[i].ran), &all[i].results); err != nil {
			t.Fatalf("%s: %v", all[i].name, err)
		}
	}
	return all
}

// chunkAt returns the chunk at an offset of a file, and the offset in the chunk.
func chunkAt(a *analysis.Analysis, offset int) (*analysis.Chunk, int) {
	p := a.ChunkAt(offset)
	return p, p.FromFile(offset)
}

// TestHover checks the hover at each cursor and its span.
func TestHover(t *testing.T) {
	for _, path := range []string{"testdata/hover.txtar", "testdata/hover_adk.txtar"} {
		play(t, path, hovers)
	}
}

func hovers(t *testing.T, s scene) string {
	a, cursors := s.file()
	criterion := metric.Criterion{Metric: metric.ResponseQuality, Threshold: 0.6, Rubrics: []metric.Rubric{{ID: "given", Text: "Is given."}}}
	var b strings.Builder
	for i, cursor := range cursors {
		p, offset := chunkAt(a, cursor)
		h, ok := hover.Describe(p, offset, s.results, criterion)
		if !ok {
			fmt.Fprintf(&b, "[%d] nothing\n", i+1)
			continue
		}
		fmt.Fprintf(&b, "[%d] ⟦%s⟧\n%s\n\n", i+1, strings.ReplaceAll(a.Source().Slice(p.ToFile(h.Span)), "\n", "⏎"), h.Markdown)
	}
	return b.String()
}

// TestHints checks the text with its hints.
func TestHints(t *testing.T) {
	play(t, "testdata/inlay.txtar", func(t *testing.T, s scene) string {
		a, _ := s.file()
		body := a.Source().Body
		var b strings.Builder
		at := 0
		a.Chunks(func(p *analysis.Chunk) bool {
			for _, h := range inlay.Hints(p, s.results) {
				place := p.ToFile(span(h.Offset)).Start
				b.WriteString(body[at:place] + "⟦" + h.Label + "⟧")
				at = place
			}
			return true
		})
		return b.String() + body[at:]
	})
}

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
	for _, l := range fileLenses(a, s.results) {
		fmt.Fprintf(&b, "%d: %s", l.Range.Start.Line+1, l.Command.Title)
		if l.Command.Command != "" {
			fmt.Fprintf(&b, " → %s(%s)", l.Command.Command, l.Command.Arguments[0].(ide.CommandTarget).Case)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// fileLenses returns the lenses of a whole file, for a client that executes all their commands.
func fileLenses(a *analysis.Analysis, results ide.Results) []ide.CodeLens {
	f := &ide.File{Analysis: a, Client: &ide.Client{CanChoose: true}, Host: ide.Host{Outcomes: func() ide.Results { return results }, Suite: a.Suite}}
	return lens.InRange(f, text.Span{End: a.Length()})
}
