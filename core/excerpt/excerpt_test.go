package excerpt_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/excerpt"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \n\t", ""},
		{"short", "short"},
		{" two\r\n\r\n  lines ", "two lines"},
		{"tenletters", "tenletters"},
		{"tenletters ", "tenletters"},
		{"elevenlette", "elevenlett…"},
		{"nine char s", "nine char…"},
		{"ééééééééééé", "éééééééééé…"},
		{"a\xffb", "a\ufffdb"},
		{strings.Repeat("x ", 1<<20), "x x x x x…"},
	} {
		if got := excerpt.Shorten(c.text, 10); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.text, got, c.want)
		}
	}
}
