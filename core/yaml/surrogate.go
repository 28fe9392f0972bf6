package yaml

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// surrogates moves JSON's escapes for astral characters, `\ud83d\ude00`, which
// YAML does not have, to a private area where lift finds and pairs them. Where
// the text is not double-quoted they were no escapes: see literal.
func (d *disguise) surrogates(out []byte, body string) {
	if privateUse().MatchString(body) {
		return
	}
	for at := 0; at < len(body); at++ {
		if body[at] != '\\' {
			continue
		}
		if isSurrogateEscape(body[at:]) {
			out[at+2] = 'e' // d800–dfff becomes e000–e7ff
			out[at+3] = '0' + byte(strings.IndexByte(surrogateDigits, body[at+3])%8)
			d.escapes = append(d.escapes, at)
		}
		at++ // whatever is escaped, an escaped backslash included
	}
}

// privateUse matches a text that uses the private area itself.
var privateUse = pattern.New(`[\x{E000}-\x{E7FF}]|\\u[eE][0-7]`)

var moved = pattern.New(`\\ue[0-7]..`)

// literal takes the disguise off a value that is not double-quoted and was read
// from span of source: there `\ud83d` is six characters.
func (d *disguise) literal(value, source string, span text.Span) string {
	if d == nil {
		return value
	}
	value = d.swapBack(value)
	next := sort.SearchInts(d.escapes, span.Start)
	if next == len(d.escapes) || d.escapes[next] >= span.End {
		return value
	}
	return moved().ReplaceAllStringFunc(value, func(string) string {
		at := d.escapes[min(next, len(d.escapes)-1)]
		next++
		return source[at : at+len(`\ud83d`)]
	})
}

const surrogateDigits = "89abcdef" + "89ABCDEF"

func isSurrogateEscape(s string) bool {
	return len(s) >= 6 && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') && strings.IndexByte(surrogateDigits, s[3]) >= 0
}

// lift takes the disguise off a double-quoted value.
func (d *disguise) lift(value string) string {
	if d == nil {
		return value
	}
	value = d.swapBack(value)
	if len(d.escapes) == 0 {
		return value
	}
	var out strings.Builder
	high := rune(-1) // a first half that waits for its second
	for _, r := range value {
		switch {
		case high >= 0 && r >= 0xE400 && r < 0xE800:
			out.WriteRune(0x10000 + high<<10 + (r - 0xE400))
			high = -1
			continue
		case high >= 0:
			out.WriteRune(utf8.RuneError)
			high = -1
		}
		switch {
		case r >= 0xE000 && r < 0xE400:
			high = r - 0xE000
		case r >= 0xE400 && r < 0xE800:
			out.WriteRune(utf8.RuneError)
		default:
			out.WriteRune(r)
		}
	}
	if high >= 0 {
		out.WriteRune(utf8.RuneError)
	}
	return out.String()
}
