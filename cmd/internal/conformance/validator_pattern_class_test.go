package conformance

import "strconv"

// class reads a set of letters after its `[`.
func (p *jsPattern) class() bool {
	p.take("^")
	for p.pos < len(p.text) {
		if p.take("]") {
			return true
		}
		from, single, ok := p.member()
		if !ok {
			return false
		}
		if p.pos+1 >= len(p.text) || p.text[p.pos] != '-' || p.text[p.pos+1] == ']' {
			continue
		}
		p.next()
		to, alsoSingle, ok := p.member()
		if !ok || single && alsoSingle && from > to {
			return false
		}
	}
	return false
}

// member reads one letter of a set; single is false for an escape that stands
// for several.
func (p *jsPattern) member() (letter uint64, single, ok bool) {
	c := p.next()
	if c != '\\' {
		return uint64(c), true, true
	}
	if p.pos >= len(p.text) {
		return 0, false, false
	}
	switch c := p.next(); c {
	case 'd', 'D', 'w', 'W', 's', 'S':
		return 0, false, true
	case 'b':
		return '\b', true, true
	case 'f':
		return '\f', true, true
	case 'n':
		return '\n', true, true
	case 'r':
		return '\r', true, true
	case 't':
		return '\t', true, true
	case 'v':
		return '\v', true, true
	case 'c':
		return p.control(), true, true
	case 'x':
		return p.code(2, 16, 'x'), true, true
	case 'u':
		return p.code(4, 16, 'u'), true, true
	case 'k':
		p.broken = true // no reference here, if there are any
		return uint64(c), true, true
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return p.octal(c), true, true
	default:
		return uint64(c), true, true
	}
}

// control reads the letter of a control character; without one the backslash
// stands for itself.
func (p *jsPattern) control() uint64 {
	if p.pos < len(p.text) {
		c := p.text[p.pos]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			p.pos++
			return uint64(c % 32)
		}
	}
	p.pos-- // the c is the next letter
	return '\\'
}

// code reads exactly so many digits, without which the letter before them
// stands for itself.
func (p *jsPattern) code(digits, base int, letter uint64) uint64 {
	if p.pos+digits <= len(p.text) {
		if n, ok := digitsValue(p.text[p.pos:p.pos+digits], base); ok {
			p.pos += digits
			return n
		}
	}
	return letter
}

// octal reads up to three digits, the first of which is read, up to 377.
func (p *jsPattern) octal(first uint16) uint64 {
	value := uint64(first - '0')
	for i := 0; i < 2 && p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '7' && value < 32; i++ {
		value = value*8 + uint64(p.next()-'0')
	}
	return value
}

func digitsValue(units []uint16, base int) (uint64, bool) {
	var digits []byte
	for _, u := range units {
		if u > 'f' || u == '_' {
			return 0, false
		}
		digits = append(digits, byte(u))
	}
	n, err := strconv.ParseUint(string(digits), base, 64)
	return n, err == nil
}
