package ide_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
)

// decoded returns the positions and lengths of tokens.
func decoded(data []uint32) (all []text.Range) {
	at := text.Position{}
	for chunk := range slices.Chunk(data, 5) {
		if chunk[0] > 0 {
			at.Character = 0
		}
		at.Line += int(chunk[0])
		at.Character += int(chunk[1])
		all = append(all, text.Range{Start: at, End: text.Position{Line: at.Line, Character: at.Character + int(chunk[2])}})
	}
	return all
}

// TestTokens checks that tokens are in file order, in the client's units, and that those of a span
// are part of those of the file.
func TestTokens(t *testing.T) {
	body := "dataset: 😀 # 😀\nevalcases:\n  - id: \"😀\"\n    weight: 1 # x\n  - id: b\nexecution: { target: x }\n"
	f := newFile(analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body}))
	f.Client.Encoding = text.UTF16
	data := token.InRange(f, text.Span{End: len(body)}).Data
	if want := []uint32{0, 0, 7, 0, 0, 0, 12, 4, 9, 0}; !slices.Equal(data[:10], want) { // a key and a comment
		t.Errorf("%v, want %v", data[:10], want)
	}
	all := decoded(data)
	last := text.Position{Line: -1}
	for _, r := range all {
		if r.Start.Line < last.Line || r.Start.Line == last.Line && r.Start.Character <= last.Character || r.End.Character <= r.Start.Character {
			t.Errorf("%+v after %+v", r, last)
		}
		last = r.Start
	}
	some := decoded(token.InRange(f, text.Span{Start: len(body) - 32, End: len(body) - 3}).Data)
	if n := len(some); n == 0 || n > 5 || !slices.Equal(some, all[len(all)-n:]) {
		t.Errorf("%v", some)
	}
}

// TestDiffTokens checks that the edit consists of whole tokens, is minimal, and turns one array into
// the other.
func TestDiffTokens(t *testing.T) {
	a, b, c := []uint32{0, 1, 1, 0, 1}, []uint32{0, 3, 1, 5, 1}, []uint32{0, 4, 9, 0, 1}
	for _, tt := range []struct {
		name          string
		before, after [][]uint32
		deleted, new  int
	}{
		{"nothing", [][]uint32{a, b}, [][]uint32{a, b}, 0, 0},
		{"from nothing", nil, [][]uint32{a}, 0, 5},
		{"to nothing", [][]uint32{a, b}, nil, 10, 0},
		{"the last", [][]uint32{a, b}, [][]uint32{a, b, c}, 0, 5},
		{"the first", [][]uint32{a, b, c}, [][]uint32{b, c}, 5, 0},
		{"twins", [][]uint32{a, a, a}, [][]uint32{a, a}, 5, 0},
	} {
		before, after := slices.Concat(tt.before...), slices.Concat(tt.after...)
		edit, changed := token.DiffTokens(before, after)
		if edit.Deleted != tt.deleted || len(edit.Data) != tt.new || changed != (tt.deleted+tt.new > 0) {
			t.Errorf("%s: %+v, %v", tt.name, edit, changed)
		}
		if got := slices.Replace(slices.Clone(before), edit.Start, edit.Start+edit.Deleted, edit.Data...); !slices.Equal(got, after) {
			t.Errorf("%s: makes %v, want %v", tt.name, got, after)
		}
	}
}
