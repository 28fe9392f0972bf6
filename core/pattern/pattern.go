// Package pattern compiles the engine's own regular expressions on first use.
// Compiling the hundred of them at start-up, as regexp.MustCompile does, took two
// thirds of the start-up time, which is longest in WebAssembly. Patterns and words that
// users write are those of package ecmascript.
package pattern

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Lazy returns a regular expression and compiles it on the first call.
type Lazy func() *regexp.Regexp

// New returns the regular expression for expression, in the syntax of [regexp]. The
// first use panics if expression is invalid.
func New(expression string) Lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

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
