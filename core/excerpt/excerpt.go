// Package excerpt gives enough of a text to know which one it is, for the
// sentences that quote what somebody wrote.
package excerpt

import (
	"strings"
	"unicode"
)

// Of is a text on one line, each run of white space a single space, and cut with a
// "…" after the most characters that are wanted. It takes time for what it gives
// alone, however long the text.
func Of(text string, most int) string {
	if len(text) <= most && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return text // as names are
	}
	var b strings.Builder
	taken, gap := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			gap = taken > 0
			continue
		}
		if gap && taken < most {
			b.WriteByte(' ')
			taken++
		}
		if taken >= most {
			return strings.TrimSuffix(b.String(), " ") + "…"
		}
		b.WriteRune(r)
		taken, gap = taken+1, false
	}
	return b.String()
}
