package pattern

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns a regular expression that matches a text as whole words: not inside a word, a
// number or a range of numbers. At an edge that is another character anything may follow.
func Words(text string) *regexp.Regexp {
	text = strings.ToValidUTF8(text, "\uFFFD")
	before, after := "", ""
	if first, _ := utf8.DecodeRuneInString(text); isPartOfWord(first) {
		before = `(?:^|[^\pL\pN.,–-])`
	}
	if last, _ := utf8.DecodeLastRuneInString(text); isPartOfWord(last) {
		after = `(?:$|[^\pL\pN.,/²³-]|[.,](?:\PN|$))`
	}
	return regexp.MustCompile(before + regexp.QuoteMeta(text) + after)
}

// isPartOfWord reports whether r is a letter, a digit or, as in $5, the sign of a currency.
func isPartOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Sc, r)
}
