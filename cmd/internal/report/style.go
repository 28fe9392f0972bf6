package report

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// Style is how text looks on a screen.
type Style struct {
	Color bool
	Width int // columns; 0: no line is cut
}

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// classColor are the colours of grades by their class.
var classColor = map[string]string{"good": green, "fair": yellow, "bad": red, "none": red}

var verdictColor = map[score.Verdict]string{score.Pass: green, score.Borderline: yellow, score.Fail: red, score.Ungraded: red}

// columns measures text in columns. The library's own measure goes by the
// machine's locale, and then equal runs would print unequal tables.
var columns = &runewidth.Condition{StrictEmojiNeutral: true}

type painter struct{ Style }

func (p painter) paint(color, text string) string {
	if !p.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// truncate shortens a line's text so that it ends within the screen, indent columns
// being taken already. A few columns are left to it on the narrowest screen.
func (p painter) truncate(text string, indent int) string {
	text = Printable(text)
	if p.Width == 0 {
		return text
	}
	return columns.Truncate(text, max(p.Width-indent, 10), "…")
}

// Printable is s on one line that cannot steer a terminal, nor turn the
// direction of what follows.
func Printable(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if text.IsDisplayControl(r) {
			return '·'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}

// isPlain reports whether text is words of ASCII with a space between them, as most is.
func isPlain(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && (i == 0 || i == len(text)-1 || text[i+1] == ' ') {
			return false
		}
	}
	return true
}
