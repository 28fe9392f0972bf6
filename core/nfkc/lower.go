package nfkc

import (
	"strings"
	"unicode"
)

// Lower is text in lower case by Unicode's full mapping, as Python has it: a
// dotted I keeps its dot, and a sigma at the end of a word is a final one.
func Lower(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && isFinal(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// isFinal reports whether the letter at i ends a word: one with case stands before
// it and none after it, whatever marks lie between.
func isFinal(runes []rune, i int) bool {
	before, after := i-1, i+1
	for before >= 0 && isCaseIgnorable(runes[before]) {
		before--
	}
	for after < len(runes) && isCaseIgnorable(runes[after]) {
		after++
	}
	return before >= 0 && isCased(runes[before]) && (after == len(runes) || !isCased(runes[after]))
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable are the characters that part no word.
func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·՟״‘’․‧︓﹒﹕＇．：", r)
}
