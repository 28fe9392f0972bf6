package nfkc

import (
	"strings"
	"unicode"
)

// Lower is text in lower case by Unicode's full mapping, as Python has it: a
// dotted I keeps its dot, and a sigma at the end of a word is a final one.
func Lower(text string) string {
	if ascii(text) {
		return strings.ToLower(text)
	}
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && ends(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// ends reports whether the letter at i ends a word: one with case stands before
// it and none after it, whatever marks lie between.
func ends(runes []rune, i int) bool {
	before, after := i-1, i+1
	for before >= 0 && ignorable(runes[before]) {
		before--
	}
	for after < len(runes) && ignorable(runes[after]) {
		after++
	}
	return before >= 0 && cased(runes[before]) && (after == len(runes) || !cased(runes[after]))
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// ignorable are the characters that part no word.
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·՟״‘’․‧︓﹒﹕＇．：", r)
}
