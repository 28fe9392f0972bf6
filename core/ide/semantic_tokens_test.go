package ide_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/text"
)

func newToken(line, character, length int, kind token.TokenType) token.PositionedToken {
	return token.PositionedToken{Start: text.Position{Line: line, Character: character}, Length: length, Type: kind, Modifiers: token.DeclarationModifier}
}

func TestEncodeTokens(t *testing.T) {
	got := token.EncodeTokens([]token.PositionedToken{newToken(1, 4, 2, token.KeyToken), newToken(1, 8, 3, token.NumberToken), newToken(4, 2, 1, token.CaseToken)})
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
	all := token.TokensIn(a, text.Span{End: len(body)}, text.UTF16)
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
	some := token.TokensIn(a, text.Span{Start: len(body) - 32, End: len(body) - 3}, text.UTF16)
	if n := len(some); n == 0 || n > 5 || !slices.Equal(some, all[len(all)-n:]) {
		t.Errorf("%v", some)
	}
}

// TestDiffTokens checks that the edit consists of whole tokens, is minimal, and turns one array into
// the other.
func TestDiffTokens(t *testing.T) {
	a, b, c := newToken(0, 1, 1, token.KeyToken), newToken(0, 4, 1, token.NumberToken), newToken(0, 8, 9, token.KeyToken)
	for _, tt := range []struct {
		name          string
		before, after []token.PositionedToken
		deleted, new  int
	}{
		{"nothing", []token.PositionedToken{a, b}, []token.PositionedToken{a, b}, 0, 0},
		{"from nothing", nil, []token.PositionedToken{a}, 0, 5},
		{"to nothing", []token.PositionedToken{a, b}, nil, 10, 0},
		{"the last", []token.PositionedToken{a, b}, []token.PositionedToken{a, b, c}, 0, 5},
		{"the first", []token.PositionedToken{a, b, c}, []token.PositionedToken{b, c}, 10, 5},
		{"twins", []token.PositionedToken{a, a, a}, []token.PositionedToken{a, a}, 5, 0},
	} {
		before, after := token.EncodeTokens(tt.before), token.EncodeTokens(tt.after)
		edit, changed := token.DiffTokens(before, after)
		if edit.Deleted != tt.deleted || len(edit.Data) != tt.new || changed != (tt.deleted+tt.new > 0) {
			t.Errorf("%s: %+v, %v", tt.name, edit, changed)
		}
		if got := slices.Replace(slices.Clone(before), edit.Start, edit.Start+edit.Deleted, edit.Data...); !slices.Equal(got, after) {
			t.Errorf("%s: makes %v, want %v", tt.name, got, after)
		}
	}
}
