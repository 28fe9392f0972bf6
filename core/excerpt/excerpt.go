// Package excerpt shortens user text for messages that quote it.
package excerpt

import (
	"strings"
	"unicode"
)

// Shorten returns text on one line, with each run of white space as a single space. It cuts after
// maxRunes runes and appends "…". The cost depends on maxRunes, not on the length of text.
func Shorten(text string, maxRunes int) string {
	if len(text) <= maxRunes && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return text // fast path for names
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
