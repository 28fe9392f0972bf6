// Package excerpt gives enough of a text to know which one it is, for the
// sentences that quote what somebody wrote.
package excerpt

import (
	"strings"
	"unicode"
)

// Shorten is a text on one line, each run of white space a single space, and cut with a
// "…" after the most characters that are wanted. It takes time for what it gives
// alone, however long the text.
func Shorten(text string, maxRunes int) string {
	if len(text) <= maxRunes && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return text // as names are
	}
	var b strings.Builder
	written, gap := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			gap = written > 0
			continue
		}
		if gap && written < maxRunes {
			b.WriteByte(' ')
			written++
		}
		if written >= maxRunes {
			return strings.TrimSuffix(b.String(), " ") + "…"
		}
		b.WriteRune(r)
		written, gap = written+1, false
	}
	return b.String()
}
