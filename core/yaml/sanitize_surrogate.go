package yaml

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// hideSurrogates moves JSON's escapes for astral characters, `\ud83d\ude00`, which
// YAML does not have, to a private area where lift finds and pairs them. Where
// the text is not double-quoted they were no escapes: see literal.
func (s *sanitizer) hideSurrogates(out []byte, body string) {
	if privateUse().MatchString(body) {
		return
	}
	for pos := 0; pos < len(body); pos++ {
		if body[pos] != '\\' {
			continue
		}
		if isSurrogateEscape(body[pos:]) {
			out[pos+2] = 'e' // d800–dfff becomes e000–e7ff
			out[pos+3] = '0' + byte(strings.IndexByte(surrogateDigits, body[pos+3])%8)
			s.surrogateEscapes = append(s.surrogateEscapes, pos)
		}
		pos++ // whatever is escaped, an escaped backslash included
	}
}

// privateUse matches a text that uses the private area itself.
var privateUse = pattern.New(`[\x{E000}-\x{E7FF}]|\\u[eE][0-7]`)

var hiddenSurrogate = pattern.New(`\\ue[0-7]..`)

// restoreLiteral takes the disguise off a value that is not double-quoted and was read
// from span of source: there `\ud83d` is six characters.
func (s *sanitizer) restoreLiteral(value, source string, span text.Span) string {
	if s == nil {
		return value
	}
	value = s.restoreRunes(value)
	next := sort.SearchInts(s.surrogateEscapes, span.Start)
	if next == len(s.surrogateEscapes) || s.surrogateEscapes[next] >= span.End {
		return value
	}
	return hiddenSurrogate().ReplaceAllStringFunc(value, func(string) string {
		pos := s.surrogateEscapes[min(next, len(s.surrogateEscapes)-1)]
		next++
		return source[pos : pos+len(`\ud83d`)]
	})
}

const surrogateDigits = "89abcdef" + "89ABCDEF"

func isSurrogateEscape(s string) bool {
	return len(s) >= 6 && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') && strings.IndexByte(surrogateDigits, s[3]) >= 0
}

// restoreQuoted takes the disguise off a double-quoted value.
func (s *sanitizer) restoreQuoted(value string) string {
	if s == nil {
		return value
	}
	value = s.restoreRunes(value)
	if len(s.surrogateEscapes) == 0 {
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
