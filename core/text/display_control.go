package text

import "unicode"

// IsDisplayControl reports whether a character changes how a terminal shows what follows it:
// a control character other than a tab or a line feed, a Unicode line break, or one that
// sets the direction of text.
func IsDisplayControl(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || ' ' <= r && r <= '~':
		return false
	}
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}
