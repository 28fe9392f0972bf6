package ecmascript

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// parseEscape parses what follows a backslash outside a class.
func (p *parser) parseEscape() *node {
	switch c := p.peek(); {
	case p.skip("b"):
		return &node{kind: wordBoundary}
	case p.skip("B"):
		return &node{kind: notWordBoundary}
	case c == 'k' && (p.unicode || len(p.names) > 0):
		p.at++
		if !p.skip("<") {
			p.fail("invalid named reference")
		}
		name := p.parseName()
		if p.names[name] == 0 {
			p.fail("no group is called `%s`", name)
		}
		return &node{kind: reference, group: p.names[name]}
	case c >= '1' && c <= '9':
		start := p.at
		if n, _ := p.parseNumber(); n <= p.total {
			return &node{kind: reference, group: n}
		}
		if p.unicode {
			p.fail("a back reference to no group")
		}
		p.at = start
	}
	if s := p.parseClassEscape(); s != nil {
		return &node{kind: character, set: &set{sets: []*set{s}}}
	}
	return literal(p.parseCharacterEscape(false))
}

// parseClassEscape parses \d, \s, \w, \p{…} or the opposite of one; nil if none is next.
func (p *parser) parseClassEscape() *set {
	c := p.peek()
	s := &set{negated: c == 'D' || c == 'S' || c == 'W' || c == 'P'}
	switch unicode.ToLower(c) {
	case 'd':
		s.ranges = [][2]rune{{'0', '9'}}
	case 's':
		s.sets = []*set{whiteSpace}
	case 'w':
		s.sets = []*set{p.wordCharacters()}
	case 'p':
		if !p.unicode || c > 'z' {
			return nil
		}
		p.at++
		var name strings.Builder
		if p.peek() != '{' {
			p.fail("invalid property name")
		}
		for p.at++; p.peek() != '}'; p.at++ {
			if p.peek() == end {
				p.fail("invalid property name")
			}
			name.WriteRune(p.peek())
		}
		table := propertyTable(name.String())
		if table == nil {
			p.fail("the property `%s` is not supported", &name)
		}
		s.tables = table
	default:
		return nil
	}
	if c > 'z' { // ToLower has others
		return nil
	}
	p.at++
	return s
}

func (p *parser) parseCharacterEscape(inClass bool) rune {
	c := p.next()
	if i := slices.Index([]rune("tnvfr"), c); i >= 0 {
		return []rune("\t\n\v\f\r")[i]
	}
	isDigit := p.peek() >= '0' && p.peek() <= '9'
	switch {
	case c == end:
		p.fail("`\\` at the end")
	case c == 'c':
		next := p.peek()
		letter := next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z'
		if letter || inClass && !p.unicode && (isDigit || next == '_') {
			return p.next() % 32
		}
		if !p.unicode {
			p.at--
			return '\\'
		}
	case c == '0' && !isDigit:
		return 0
	case c >= '0' && c <= '7' && !p.unicode:
		value := c - '0'
		for i := 0; i < 2 && p.peek() >= '0' && p.peek() <= '7' && value*8+p.peek()-'0' <= 0o377; i++ {
			value = value*8 + p.next() - '0'
		}
		return value
	case c == 'x':
		if value, ok := p.parseHex(2); ok {
			return value
		}
	case c == 'u':
		if value, ok := p.parseCodePoint(); ok {
			return value
		}
	case p.unicode && (strings.ContainsRune(`^$\.*+?()[]{}|/`, c) || c == '-' && inClass):
		return c
	}
	if p.unicode || c == 'k' && len(p.names) > 0 {
		p.fail("invalid escape `\\%c`", c)
	}
	return c
}

func (p *parser) parseHex(digits int) (value rune, ok bool) {
	start := p.at
	for range digits {
		digit := strings.IndexRune("0123456789abcdef", unicode.ToLower(p.peek()))
		if digit < 0 {
			p.at = start
			return 0, false
		}
		value = value*16 + rune(digit)
		p.at++
	}
	return value, true
}

// parseCodePoint parses the digits of \uXXXX and, with flag u, of \u{X} and of a surrogate pair.
func (p *parser) parseCodePoint() (value rune, ok bool) {
	if p.unicode && p.skip("{") {
		digits := 0
		for ; p.peek() != '}'; digits++ {
			digit, ok := p.parseHex(1)
			if value = value*16 + digit; !ok || value > unicode.MaxRune {
				p.fail("invalid Unicode escape")
			}
		}
		p.at++
		return value, digits > 0
	}
	value, ok = p.parseHex(4)
	if start := p.at; ok && p.unicode && utf16.IsSurrogate(value) && p.skip(`\u`) {
		low, _ := p.parseHex(4)
		if pair := utf16.DecodeRune(value, low); pair != unicode.ReplacementChar {
			return pair, true
		}
		p.at = start
	}
	return value, ok
}

func (p *parser) parseClass() *set {
	s := &set{negated: p.skip("^")}
	for !p.skip("]") {
		low, class := p.parseClassAtom()
		if p.peek() != '-' || p.peekAt(1) == ']' || p.peekAt(1) == end {
			s.add(low, class)
			continue
		}
		p.at++
		high, other := p.parseClassAtom()
		switch {
		case class == nil && other == nil && low > high:
			p.fail("range out of order in a class")
		case class == nil && other == nil:
			s.ranges = append(s.ranges, [2]rune{low, high})
		case p.unicode:
			p.fail("a range of a class")
		default:
			s.add(low, class)
			s.add('-', nil)
			s.add(high, other)
		}
	}
	return s
}

// parseClassAtom parses a character of a class, or a class in it.
func (p *parser) parseClassAtom() (rune, *set) {
	c := p.next()
	switch {
	case c == end:
		p.fail("a class is not closed")
	case c != '\\':
		return c, nil
	case p.skip("b"):
		return '\b', nil
	}
	if s := p.parseClassEscape(); s != nil {
		return 0, s
	}
	return p.parseCharacterEscape(true), nil
}
