package yaml

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a string. Its value is a part of the text where nothing in it is
// escaped.
func (s *scanner) quoted() *Node {
	start, escaped := s.at, false
	for s.at++; ; {
		s.at = ordinary(s.body, s.at)
		if s.at == len(s.body) {
			return nil
		}
		switch c := s.body[s.at]; {
		case c == '"':
			s.at++
			n := s.node(len(s.body) - s.at)
			n.Style, n.Tag = DoubleQuoted, TagStr
			n.Span.Start, n.Span.End = start, s.at
			if n.Value = s.body[start+1 : s.at-1]; escaped {
				n.Value = unescaped(n.Value)
			}
			return n
		case c == '\\':
			length := escapeLength(s.body[s.at:])
			if length == 0 {
				return nil
			}
			s.at, escaped = s.at+length, true
		case c >= utf8.RuneSelf && !isRemarkable(s.body[s.at:]):
			_, size := utf8.DecodeRuneInString(s.body[s.at:])
			s.at += size
		default:
			return nil
		}
	}
}

// ordinary is the first offset from at on of what may be more than a character of
// its own: a quote, an escape, a control character, a part of something longer.
func ordinary(body string, at int) int {
	for at < len(body) && body[at] >= ' ' && body[at] != '"' && body[at] != '\\' && body[at] < utf8.RuneSelf {
		at++
	}
	return at
}

// isRemarkable reports whether text begins with what a disguise is for: no UTF-8, or
// a character that is a problem.
func isRemarkable(text string) bool {
	switch r, size := utf8.DecodeRuneInString(text); r {
	case nextLine2, lineSep3, paraSep3, '\uFFFE', '\uFFFF':
		return true
	case utf8.RuneError:
		return size == 1
	}
	return false
}

// escapes are those of JSON but for \u, and what they stand for.
const escapes, escapedBytes = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escapeLength is the length of the escape that text begins with, 0 if it is none.
func escapeLength(text string) int {
	switch {
	case len(text) > 1 && strings.IndexByte(escapes, text[1]) >= 0:
		return len(`\n`)
	case len(text) >= len(`\u0000`) && text[1] == 'u' && codeUnit(text) >= 0:
		return len(`\u0000`)
	}
	return 0
}

// codeUnit is the UTF-16 code unit that text, `\u` and four more bytes at least,
// begins with; -1 if those are no hexadecimal digits.
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

// unescaped is the value of a string's inside. Halves of astral characters that lack
// their other half are U+FFFD.
func unescaped(inside string) string {
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
			out.WriteByte(escapedBytes[strings.IndexByte(escapes, inside[1])])
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

// plain reads a number, true, false or null.
func (s *scanner) plain() *Node {
	rest := s.body[s.at:]
	tag, length := "", 0
	switch rest[0] {
	case 't':
		tag, length = TagBool, wordLength(rest, "true")
	case 'f':
		tag, length = TagBool, wordLength(rest, "false")
	case 'n':
		tag, length = TagNull, wordLength(rest, "null")
	default:
		tag, length = number(rest)
	}
	if length == 0 {
		return nil
	}
	n := s.node(len(rest))
	n.Tag, n.Value = tag, rest[:length]
	n.Span.Start, n.Span.End = s.at, s.at+length
	s.at += length
	return n
}

func wordLength(text, word string) int {
	if strings.HasPrefix(text, word) {
		return len(word)
	}
	return 0
}

// number is the length of the number of JSON that text begins with, 0 if it is
// none, and what it is. What follows it is for who reads on to see.
func number(text string) (tag string, length int) {
	at, tag := 0, TagInt
	if text[0] == '-' {
		at++
	}
	end := digitsEnd(text, at)
	if end == at || text[at] == '0' && end > at+1 {
		return "", 0
	}
	if at = end; at < len(text) && text[at] == '.' {
		if end, tag = digitsEnd(text, at+1), TagFloat; end == at+1 {
			return "", 0
		}
		at = end
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		at++
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if end, tag = digitsEnd(text, at), TagFloat; end == at {
			return "", 0
		}
	}
	return tag, end
}

func digitsEnd(text string, at int) int {
	for at < len(text) && '0' <= text[at] && text[at] <= '9' {
		at++
	}
	return at
}
