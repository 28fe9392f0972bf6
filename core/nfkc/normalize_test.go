package nfkc_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-ls/rubric/core/nfkc"
)

var update = flag.Bool("update", false, "write table.txt")

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

// TestEveryCharacter holds each character, alone and with marks around it,
// against the reference implementation.
func TestEveryCharacter(t *testing.T) {
	const last = 0x33FFF // beyond it stand tags and private characters, which have no forms
	faults := 0
	for r := rune(1); r <= last && faults < 10; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, text := range []string{string(r), "a\u0323" + string(r) + "\u0301", string(r) + "\u0308\u0345\u0323", "\u1100" + string(r) + "\u11a8"} {
			if got, want := nfkc.Normalize(text), norm.NFKC.String(text); got != want {
				t.Errorf("%+q is %+q, want %+q", text, got, want)
				faults++
			}
		}
	}
}

func TestTableIsCurrent(t *testing.T) {
	var b strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xAC00 && r <= 0xD7A3 || !utf8.ValidRune(r) {
			continue // Hangul is arithmetic
		}
		s := string(r)
		class, whole, pair := "", "", ""
		if n := norm.NFC.PropertiesString(s).CCC(); n > 0 {
			class = fmt.Sprint(n)
		}
		if whole = norm.NFKD.String(s); whole == s {
			whole = ""
		}
		// What composes again is a character that form C leaves alone; its first
		// part is all of its decomposition but for the last character.
		if parts := []rune(norm.NFD.String(s)); len(parts) > 1 && norm.NFC.String(s) == s {
			pair = norm.NFC.String(string(parts[:len(parts)-1])) + string(parts[len(parts)-1])
		}
		if class+whole+pair != "" {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", s, class, whole, pair)
		}
	}
	if *update {
		if err := os.WriteFile("table.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, _ := os.ReadFile("table.txt"); string(have) != b.String() {
		t.Error("table.txt is not what the reference implementation says; go test ./core/nfkc -update writes it")
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "é", "가각", "ﷺ", "\u0344\u0345", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		// The reference breaks up long runs of marks by joiners, which the standard does not ask for.
		const joiner = "\u034f"
		want := norm.NFKC.String(text)
		if strings.Count(want, joiner) > strings.Count(text, joiner) {
			return
		}
		if got := nfkc.Normalize(text); got != want {
			t.Errorf("%+q is %+q, want %+q", text, got, want)
		}
	})
}
