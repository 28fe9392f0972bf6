// Package nfkc converts text to Unicode's normalization form KC and to lower case. In this form
// full-width letters, ligatures and letters with combining accents equal their plain spellings.
//
// The metrics of package metric are defined on such text.
package nfkc

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalize returns text in normalization form KC. Each invalid byte becomes U+FFFD. A joiner breaks up
// more than 30 marks on one letter.
func Normalize(text string) string { return norm.NFKC.String(string([]rune(text))) }

// Lower returns text in lower case by Unicode's full mapping, as in Python: a dotted capital I
// keeps its dot, and a sigma at the end of a word is a final one.
func Lower(text string) string {
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

// isFinal reports whether the letter at i ends a word: a cased letter precedes it and none follows,
// ignoring marks between.
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

// isCaseIgnorable reports whether r does not separate words.
func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·՟״‘’․‧︓﹒﹕＇．：", r)
}
