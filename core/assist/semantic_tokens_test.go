package assist_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/text"
)

func token(line, character, length int, kind assist.TokenType) assist.PositionedToken {
	return assist.PositionedToken{Start: text.Position{Line: line, Character: character}, Length: length, Type: kind, Modifiers: assist.DeclarationModifier}
}

func TestEncodeTokens(t *testing.T) {
	got := assist.EncodeTokens([]assist.PositionedToken{token(1, 4, 2, assist.KeyToken), token(1, 8, 3, assist.NumberToken), token(4, 2, 1, assist.CaseToken)})
	want := []uint32{1, 4, 2, 0, 1, 0, 4, 3, 5, 1, 3, 2, 1, 1, 1}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTokensIn checks that tokens are in file order, in the client's units, and that those of a span
// are part of those of the file.
func TestTokensIn(t *testing.T) {
	body := "dataset: 😀 # 😀\nevalcases:\n  - id: \"😀\"\n    weight: 1 # x\n  - id: b\nexecution: { target: x }\n"
	a := analysis.Of(analysis.Input{Path: "x.eval.yaml", Text: body})
	all := assist.TokensIn(a, text.Span{End: len(body)}, text.UTF16)
	last := text.Position{Line: -1}
	for _, token := range all {
		if token.Start.Line < last.Line || token.Start.Line == last.Line && token.Start.Character <= last.Character || token.Length <= 0 {
			t.Errorf("%+v after %+v", token, last)
		}
		last = token.Start
	}
	if comment := all[1]; comment.Start.Character != len("dataset: XX ") || comment.Length != len("# XX") {
		t.Errorf("%+v", comment)
	}
	some := assist.TokensIn(a, text.Span{Start: len(body) - 32, End: len(body) - 3}, text.UTF16)
	if n := len(some); n == 0 || n > 5 || !slices.Equal(some, all[len(all)-n:]) {
		t.Errorf("%v", some)
	}
}

// TestDiffTokens checks that the edit consists of whole tokens, is minimal, and turns one array into
// the other.
func TestDiffTokens(t *testing.T) {
	a, b, c := token(0, 1, 1, assist.KeyToken), token(0, 4, 1, assist.NumberToken), token(0, 8, 9, assist.KeyToken)
	for _, tt := range []struct {
		name          string
		before, after []assist.PositionedToken
		deleted, new  int
	}{
		{"nothing", []assist.PositionedToken{a, b}, []assist.PositionedToken{a, b}, 0, 0},
		{"from nothing", nil, []assist.PositionedToken{a}, 0, 5},
		{"to nothing", []assist.PositionedToken{a, b}, nil, 10, 0},
		{"the last", []assist.PositionedToken{a, b}, []assist.PositionedToken{a, b, c}, 0, 5},
		{"the first", []assist.PositionedToken{a, b, c}, []assist.PositionedToken{b, c}, 10, 5},
		{"twins", []assist.PositionedToken{a, a, a}, []assist.PositionedToken{a, a}, 5, 0},
	} {
		before, after := assist.EncodeTokens(tt.before), assist.EncodeTokens(tt.after)
		edit, changed := assist.DiffTokens(before, after)
		if edit.Deleted != tt.deleted || len(edit.Data) != tt.new || changed != (tt.deleted+tt.new > 0) {
			t.Errorf("%s: %+v, %v", tt.name, edit, changed)
		}
		if got := slices.Replace(slices.Clone(before), edit.Start, edit.Start+edit.Deleted, edit.Data...); !slices.Equal(got, after) {
			t.Errorf("%s: makes %v, want %v", tt.name, got, after)
		}
	}
}
