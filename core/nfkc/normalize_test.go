package nfkc_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/nfkc"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"plain", "Plain text.", "Plain text."},
		{"full-width", "ＩＳ", "IS"},
		{"a loose accent", "e\u0301", "é"},
		{"a ligature", "ﬁn", "fin"},
		{"Hangul", "\u1112\u1161\u11ab", "한"},
		{"marks out of order", "a\u0301\u0323", "ạ\u0301"},
		{"a blocked mark", "a\u0305\u0301", "a\u0305\u0301"},
		{"no character", "a\xff", "a\ufffd"},
	} {
		if got := nfkc.Normalize(c.text); got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestLower(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "Plain TEXT", "plain text"},
		{"accents", "ÉTÉ", "été"},
		{"Kelvin", "\u212A", "k"},
		{"a dotted I", "İ", "i\u0307"},
		{"final sigmas", "ΟΔΟΣ, ΣΑΣ", "οδος, σας"},
		{"a sigma by itself", "Σ", "σ"},
		{"after what has no case", "ノΣ", "ノσ"},
		{"before what has none", "ōΣဪ", "ōςဪ"},
		{"marks between", "ΑΣ\u0301.Α ΑΣ\u0301. ", "ασ\u0301.α ας\u0301. "},
	} {
		if got := nfkc.Lower(c.text); got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
