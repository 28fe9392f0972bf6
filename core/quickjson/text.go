package quickjson

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// appendText appends a text in its quotes. What is no UTF-8 becomes U+FFFD.
func appendText(to []byte, s string, html bool) []byte {
	to = append(to, '"')
	for {
		n := plain(s, html)
		to, s = append(to, s[:n]...), s[n:]
		if s == "" {
			return append(to, '"')
		}
		if c := s[0]; c < utf8.RuneSelf {
			to, s = appendEscaped(to, c), s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			to = append(to, `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			to = append(to, `\u202`...)
			to = append(to, hexDigits[r&0xf])
		default:
			to = append(to, s[:size]...)
		}
		s = s[size:]
	}
}

// appendEscaped appends an ASCII character that may not stand for itself.
func appendEscaped(to []byte, c byte) []byte {
	switch c {
	case '\\', '"':
		return append(to, '\\', c)
	case '\b':
		return append(to, `\b`...)
	case '\f':
		return append(to, `\f`...)
	case '\n':
		return append(to, `\n`...)
	case '\r':
		return append(to, `\r`...)
	case '\t':
		return append(to, `\t`...)
	}
	return append(to, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

// plain is how many bytes of s stand for themselves, from its beginning: eight at a
// time as far as they all do, then one by one.
func plain(s string, html bool) int {
	i := 0
	if html {
		for ; i+8 <= len(s); i += 8 {
			// `"` and `&` differ in one bit, and so do `<` and `>`.
			if x := eight(s[i:]); (x|below(x, ' ')|below(x^ones*'\\', 1)|below((x|ones*4)^ones*'&', 1)|below((x|ones*2)^ones*'>', 1))&tops != 0 {
				break
			}
		}
	} else {
		for ; i+8 <= len(s); i += 8 {
			if x := eight(s[i:]); (x|below(x, ' ')|below(x^ones*'\\', 1)|below(x^ones*'"', 1))&tops != 0 {
				break
			}
		}
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ', c == '"', c == '\\', c >= utf8.RuneSelf:
			return i
		case html && (c == '<' || c == '>' || c == '&'):
			return i
		}
	}
	return i
}

// eight are the first eight bytes of s, as a number.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// below has one of the [tops] if one of eight bytes is less than c, or is none of ASCII.
func below(x, c uint64) uint64 { return x - ones*c }
