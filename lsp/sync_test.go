package lsp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestEncodings checks that the client's preferred supported encoding is used and columns are
// counted in it.
func TestEncodings(t *testing.T) {
	const line = "evalcases:\n  - { id: \"日😀é\", expected_outcme: x, input: Do it }\n"
	for _, c := range []struct {
		offers, want string
		start        int
	}{
		{"", "", len(`  - { id: "`) + 1 + 2 + 1 + len(`", `)},
		{`"utf-16"`, "utf-16", len(`  - { id: "`) + 1 + 2 + 1 + len(`", `)},
		{`"utf-8","utf-16"`, "utf-8", len(`  - { id: "`) + 3 + 4 + 2 + len(`", `)},
		{`"utf-32","utf-8"`, "utf-32", len(`  - { id: "`) + 1 + 1 + 1 + len(`", `)},
		{`"utf-7","utf-8"`, "utf-8", len(`  - { id: "`) + 3 + 4 + 2 + len(`", `)},
		{`"utf-7"`, "utf-16", len(`  - { id: "`) + 1 + 2 + 1 + len(`", `)},
	} {
		t.Run(c.offers, func(t *testing.T) {
			e := lsptest.Start(t, newServer(nil))
			var result struct {
				Capabilities struct{ PositionEncoding string }
			}
			if err := json.Unmarshal(e.Initialize(`{"general":{"positionEncodings":[`+c.offers+`]}}`), &result); err != nil || result.Capabilities.PositionEncoding != c.want {
				t.Fatalf("%q, %v", result.Capabilities.PositionEncoding, err)
			}
			e.Open(doc, line)
			at := lsptest.Range{Start: lsptest.Position{Line: 1, Character: c.start}, End: lsptest.Position{Line: 1, Character: c.start + len("expected_outcme")}}
			if found := e.AwaitDiagnostics(doc, 1); len(found) != 2 || found[1].Code != "unknown-key" || found[1].Range != at {
				t.Fatalf("%+v, want %v", found, at)
			}
			e.Change(doc, 2, lsptest.TextChange(1, c.start+len("expected_outc"), c.start+len("expected_outc"), "o"))
			if found := e.AwaitDiagnostics(doc, 2); len(found) != 1 || found[0].Code != "id-style" {
				t.Errorf("%+v", found)
			}
		})
	}
}

// TestManyChanges sends ten thousand changes without waiting. The last text must win, and no older
// version may be published after a newer one.
func TestManyChanges(t *testing.T) {
	const n = 10_000
	e := start(t, nil, "{}")
	e.Open(doc, "evalcases:\n  - id: a\n    expected_outcome: It works\n    input: Do it\n# \n")
	for i := 2; i <= n; i++ {
		e.Change(doc, i, lsptest.TextChange(4, i, i, "x"))
	}
	e.Change(doc, n+1, lsptest.TextChange(2, 4, 20, "expected_outcme"))
	if found := e.AwaitDiagnostics(doc, n+1); len(found) != 1 || found[0].Code != "unknown-key" {
		t.Errorf("%+v", found)
	}
	last := 0
	for _, m := range e.Messages() {
		var p lsptest.Published
		if m.Method != "textDocument/publishDiagnostics" {
			continue
		}
		if err := json.Unmarshal(m.Params, &p); err != nil || p.Version == nil || *p.Version < last {
			t.Fatalf("%s after %d", m.Params, last)
		}
		last = *p.Version
	}
}

// TestReopen opens an open document again, closes it, and closes it again.
func TestReopen(t *testing.T) {
	e := start(t, nil, "{}")
	e.Open(doc, hasOne)
	e.AwaitDiagnostics(doc, 1)
	e.Close(doc)
	if found := e.AwaitDiagnostics(doc, 0); len(found) != 0 {
		t.Errorf("of a closed document: %+v", found)
	}
	e.Close(doc)
	e.Change(doc, 5, lsptest.FullChange("x"))
	e.Open(doc, strings.Replace(hasOne, "outcme", "outcome", 1))
	e.Change(doc, 3, lsptest.FullChange(hasOne), lsptest.TextChange(2, 13, 13, "i"))
	if found := e.AwaitDiagnostics(doc, 3); len(found) != 1 || !strings.Contains(found[0].Message, "expected_ioutcme") {
		t.Errorf("%+v", found)
	}
}

// edits is the number of versions; 100,000 take some minutes.
var edits = flag.Int("edits", 120, "how many versions TestEditsEqualReopening makes")

// TestEditsEqualReopening makes random edits and compares the diagnostics with those of the same
// text when opened.
func TestEditsEqualReopening(t *testing.T) {
	e := start(t, nil, "{}")
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "x", "\n", "  - id: b\n", "    input: y\n", "😀", "é\r\n", "\r", "- {", "# c\n", "    rubrics: [a, b]\n", "evalcases:\n", "\"", "\t"}
	body := hasOne + strings.Replace(hasOne, "evalcases:\n", "", 1) + "  - id: é😀\n    input: z\n"
	model := utf16.Encode([]rune(body))
	e.Open(doc, body)
	for version := 2; version <= *edits; version++ {
		var changes []string
		for range 1 + rng.IntN(3) {
			from := rng.IntN(len(model) + 1)
			to := min(len(model), from+rng.IntN(6)*rng.IntN(6))
			from, to = whole(model, from), whole(model, to)
			word := words[rng.IntN(len(words))]
			changes = append(changes, fmt.Sprintf(`{"range":{"start":%s,"end":%s},"text":%q}`, position(model, from), position(model, to), word))
			model = append(append(append([]uint16{}, model[:from]...), utf16.Encode([]rune(word))...), model[to:]...)
		}
		if version%50 == 0 { // before nothing is left of it
			changes, model = []string{lsptest.FullChange(body)}, utf16.Encode([]rune(body))
		}
		e.Change(doc, version, changes...)
		fresh := analysis.Of(analysis.Input{Path: "/evals/b.eval.yaml", Text: string(utf16.Decode(model))})
		if version%3 != 0 || !fresh.Recognised() { // the one that stays open
			continue
		}
		other := fmt.Sprintf("file:///evals/b%d.eval.yaml", version)
		e.Open(other, string(utf16.Decode(model)))
		edited, opened := e.AwaitDiagnostics(doc, version), e.AwaitDiagnostics(other, 1)
		for i := range opened {
			for j := range opened[i].Related {
				opened[i].Related[j].Location.URI = doc
			}
		}
		if !reflect.DeepEqual(edited, opened) {
			t.Fatalf("version %d of\n%q\nedited\n%+v\nopened\n%+v", version, string(utf16.Decode(model)), edited, opened)
		}
		e.Close(other)
	}
}

// whole moves an offset out of a surrogate pair or a line break, where no editor points.
func whole(model []uint16, at int) int {
	for at > 0 && at < len(model) && (0xDC00 <= model[at] && model[at] <= 0xDFFF || model[at] == '\n' && model[at-1] == '\r') {
		at--
	}
	return at
}

func position(model []uint16, at int) string {
	line, column := 0, 0
	for i := 0; i < at; i++ {
		column++
		if model[i] == '\n' || model[i] == '\r' && (i+1 >= len(model) || model[i+1] != '\n') {
			line, column = line+1, 0
		}
	}
	return fmt.Sprintf(`{"line":%d,"character":%d}`, line, column)
}
