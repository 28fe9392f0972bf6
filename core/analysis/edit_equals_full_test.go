// These tests are long and sequential, so the race detector would only slow them down.

//go:build !race

package analysis_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
)

var edits = flag.Int("edits", 2000, "how many edits TestEditsEqualFull makes, about")

// TestEditsEqualFull: the analysis after edits equals that of the new text.
func TestEditsEqualFull(t *testing.T) {
	if testing.Short() {
		*edits /= 20
	}
	inputs := editInputs()
	for i, in := range inputs {
		t.Run(fmt.Sprint(i, " ", in.Path), func(t *testing.T) {
			for n := range 1 + *edits/len(inputs)/20 { // many edits in a row leave nothing of a file
				editRandomly(t, uint64(i+n<<16), in, min(20, 1+*edits/len(inputs)))
			}
		})
	}
}

// FuzzEdit is [TestEditsEqualFull] with arbitrary texts and edits.
func FuzzEdit(f *testing.F) {
	if testing.Short() {
		f.Skip("long")
	}
	for i, in := range editInputs() {
		if len(in.Text) < 300 {
			f.Add(in.Path, in.Text, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, path, body string, seed uint64) {
		editRandomly(t, seed, analysis.Input{Path: path, Text: body}, 4)
	})
}

// TestChunks: a file has the same diagnostics and cases in chunks as undivided. A byte order
// mark keeps a file undivided.
func TestChunks(t *testing.T) {
	const mark = "\uFEFF"
	compare := func(in analysis.Input) {
		t.Helper()
		in.Paths = true
		pieces := analysis.Of(in)
		in.Text = mark + in.Text
		whole := analysis.Of(in)
		shift := func(span text.Span) text.Span { return span.Shift(len(mark)) }
		if len(pieces.Tree().Problems) > 0 {
			return // a broken file is better read in pieces
		}
		if pieces.Role() != whole.Role() || pieces.Version() != whole.Version() {
			t.Errorf("in chunks %s %s, as a whole %s %s: %s", pieces.Role(), pieces.Version(), whole.Role(), whole.Version(), in.Text)
		}
		for i, d := range pieces.Diagnostics() {
			if i < len(whole.Diagnostics()) && d.Code == "unused-ignore" {
				d.Path = whole.Diagnostics()[i].Path // a comment after a case is in no node of the whole
			}
			if i >= len(whole.Diagnostics()) || !reflect.DeepEqual(d.MapSpans(shift), whole.Diagnostics()[i]) {
				t.Errorf("in chunks:\n%v\nas a whole:\n%v\n%s", pieces.Diagnostics(), whole.Diagnostics(), in.Text)
				return
			}
		}
		if len(pieces.Diagnostics()) != len(whole.Diagnostics()) || len(pieces.Suite().Cases) != len(whole.Suite().Cases) {
			t.Errorf("%d of %d findings in\n%s", len(pieces.Diagnostics()), len(whole.Diagnostics()), in.Text)
		}
		for i, c := range pieces.Suite().Cases {
			if other := whole.Suite().Cases[i]; c.Fingerprint() != other.Fingerprint() || c.Span.Shift(len(mark)) != other.Span {
				t.Errorf("case %s is another one as a whole, in\n%s", c.ID, in.Text)
			}
		}
	}
	for _, n := range []int{1, 10, 100, 1000} {
		compare(analysis.Input{Path: "x.eval.yaml", Text: corpustest.ManyCases(n)})
	}
	for _, in := range editInputs() {
		if ext := filepath.Ext(in.Path); ext != ".jsonl" && ext != ".json" { // see TestCases
			compare(in)
		}
	}
	for _, file := range append(corpustest.Files(t, "", ".yaml"), corpustest.Files(t, corpustest.Faulty, ".yaml")...) {
		compare(analysis.Input{Path: file.Path, Text: file.Body})
	}
}
