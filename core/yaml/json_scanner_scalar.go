package yaml

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

// parseDoubleQuoted reads a string. Without escapes its value is a substring of the text.
func (s *jsonScanner) parseDoubleQuoted() *Node {
	start, escaped := s.pos, false
	for s.pos++; ; {
		s.pos = plainRunEnd(s.body, s.pos)
		if s.pos == len(s.body) {
			return nil
		}
		switch c := s.body[s.pos]; {
		case c == '"':
			s.pos++
			value := s.body[start+1 : s.pos-1]
			if escaped {
				value = unescape(value)
			}
			return &Node{Style: DoubleQuoted, Tag: TagStr, Value: value, Span: text.Span{Start: start, End: s.pos}}
		case c == '\\':
			length := escapeLength(s.body[s.pos:])
			if length == 0 {
				return nil
			}
			s.pos, escaped = s.pos+length, true
		case c >= utf8.RuneSelf && !needsSanitizing(s.body[s.pos:]):
			_, size := utf8.DecodeRuneInString(s.body[s.pos:])
			s.pos += size
		default:
			return nil
		}
	}
}

// plainRunEnd returns the first offset from pos on of a byte that is not a plain ASCII
// character of a string.
func plainRunEnd(body string, pos int) int {
	for pos < len(body) && body[pos] >= ' ' && body[pos] != '"' && body[pos] != '\\' && body[pos] < utf8.RuneSelf {
		pos++
	}
	return pos
}

// needsSanitizing reports whether s begins with invalid UTF-8 or a character that is a
// problem.
func needsSanitizing(s string) bool {
	switch r, size := utf8.DecodeRuneInString(s); r {
	case nextLineRune, lineSepRune, paraSepRune, '\uFFFE', '\uFFFF':
		return true
	case utf8.RuneError:
		return size == 1
	}
	return false
}

// escapeChars are the characters of JSON's escapes except \u; escapedBytes are their values.
const escapeChars, escapedBytes = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escapeLength returns the length of the escape at the start of text, 0 if it is invalid.
func escapeLength(text string) int {
	switch {
	case len(text) > 1 && strings.IndexByte(escapeChars, text[1]) >= 0:
		return len(`\n`)
	case len(text) >= len(`\u0000`) && text[1] == 'u' && codeUnit(text) >= 0:
		return len(`\u0000`)
	}
	return 0
}

// codeUnit returns the UTF-16 code unit of a \uXXXX escape at the start of text, -1 for invalid
// digits. text has at least six bytes.
func codeUnit(text string) (unit rune) {
	for _, c := range []byte(text[len(`\u`):len(`\u0000`)]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		unit = unit<<4 | rune(c)
	}
	return unit
}

// unescape returns the value of a string's inside. Unpaired surrogates become U+FFFD.
func unescape(inside string) string {
	var out strings.Builder
	out.Grow(len(inside))
	for {
		slash := strings.IndexByte(inside, '\\')
		if slash < 0 {
			out.WriteString(inside)
			return out.String()
		}
		out.WriteString(inside[:slash])
		inside = inside[slash:]
		if inside[1] != 'u' {
			out.WriteByte(escapedBytes[strings.IndexByte(escapeChars, inside[1])])
			inside = inside[len(`\n`):]
			continue
		}
		r := codeUnit(inside)
		inside = inside[len(`\u0000`):]
		if utf16.IsSurrogate(r) {
			second := rune(-1)
			if strings.HasPrefix(inside, `\u`) {
				second = codeUnit(inside)
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				inside = inside[len(`\u0000`):]
			}
		}
		out.WriteRune(r)
	}
}

// parsePlain reads a number, true, false or null.
func (s *jsonScanner) parsePlain() *Node {
	rest := s.body[s.pos:]
	tag, length := "", 0
	switch rest[0] {
	case 't':
		tag, length = TagBool, prefixLength(rest, "true")
	case 'f':
		tag, length = TagBool, prefixLength(rest, "false")
	case 'n':
		tag, length = TagNull, prefixLength(rest, "null")
	default:
		tag, length = scanNumber(rest)
	}
	if length == 0 {
		return nil
	}
	s.pos += length
	return &Node{Tag: tag, Value: rest[:length], Span: text.Span{Start: s.pos - length, End: s.pos}}
}

func prefixLength(text, word string) int {
	if strings.HasPrefix(text, word) {
		return len(word)
	}
	return 0
}

// scanNumber returns the tag and length of the JSON number at the start of text, or 0.
func scanNumber(text string) (tag string, length int) {
	pos, tag := 0, TagInt
	if text[0] == '-' {
		pos++
	}
	end := digitsEnd(text, pos)
	if end == pos || text[pos] == '0' && end > pos+1 {
		return "", 0
	}
	if pos = end; pos < len(text) && text[pos] == '.' {
		if end, tag = digitsEnd(text, pos+1), TagFloat; end == pos+1 {
			return "", 0
		}
		pos = end
	}
	if pos < len(text) && text[pos]|0x20 == 'e' {
		pos++
		if pos < len(text) && (text[pos] == '+' || text[pos] == '-') {
			pos++
		}
		if end, tag = digitsEnd(text, pos), TagFloat; end == pos {
			return "", 0
		}
	}
	return tag, end
}

func digitsEnd(text string, pos int) int {
	for pos < len(text) && '0' <= text[pos] && text[pos] <= '9' {
		pos++
	}
	return pos
}
