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

// Quote returns the regular expression of a text, also for JavaScript.
func Quote(text string) string { return regexp.QuoteMeta(text) }

// ContainsWords reports whether a text contains words as a whole: not inside a word, a number or a
// range of numbers. At an edge that is another character anything may follow.
func ContainsWords(text, words string) bool {
	words = strings.ToValidUTF8(words, "\uFFFD")
	first, size := utf8.DecodeRuneInString(words)
	last, _ := utf8.DecodeLastRuneInString(words)
	for from := 0; ; from += size {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return false
		}
		from += at
		if (!isPartOfWord(first) || endsOutside(text[:from])) && (!isPartOfWord(last) || startsOutside(text[from+len(words):])) {
			return true
		}
	}
}

// endsOutside reports whether a word may begin after a text.
func endsOutside(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return size == 0 || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune(".,–-", r)
}

// startsOutside reports whether a word may end before a text.
func startsOutside(after string) bool {
	r, size := utf8.DecodeRuneInString(after)
	if r == '.' || r == ',' {
		next, _ := utf8.DecodeRuneInString(after[size:])
		return !unicode.IsNumber(next)
	}
	return size == 0 || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("/²³-", r)
}

// isPartOfWord reports whether r is a letter, a digit or, as in $5, the sign of a currency.
func isPartOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Sc, r)
}
