package conformance

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf16"
)

// jsPattern reads a regular expression of JavaScript, in its lenient form without
// flags, to see whether it is one. Its letters are UTF-16 units there, so that
// a range between two emoji is out of order.
type jsPattern struct {
	text   []uint16
	pos    int
	groups []string // names given
	calls  []string // names referred to; that means something only if any is given
	broken bool     // a reference that has no form
}

// validJSPattern reports whether JavaScript takes text for a regular expression.
func validJSPattern(text string) bool {
	p := &jsPattern{text: utf16.Encode([]rune(text))}
	if !p.alternatives() || p.pos < len(p.text) {
		return false
	}
	isLost := func(name string) bool { return !slices.Contains(p.groups, name) }
	return len(p.groups) == 0 || !p.broken && !slices.ContainsFunc(p.calls, isLost)
}

// take reads prefix if it comes next.
func (p *jsPattern) take(prefix string) bool {
	for i := range len(prefix) {
		if p.pos+i >= len(p.text) || p.text[p.pos+i] != uint16(prefix[i]) {
			return false
		}
	}
	p.pos += len(prefix)
	return true
}

// next reads one unit; 0 at the end.
func (p *jsPattern) next() (c uint16) {
	if p.pos < len(p.text) {
		c = p.text[p.pos]
		p.pos++
	}
	return c
}

// alternatives reads up to a `)` or the end.
func (p *jsPattern) alternatives() bool {
	for p.pos < len(p.text) && p.text[p.pos] != ')' {
		repeatable, ok := p.term()
		if !ok {
			return false
		}
		repeated, ok := p.quantifier()
		if !ok || repeated && !repeatable {
			return false
		}
	}
	return true
}

// term reads what stands between quantifiers, and says whether it may have one.
func (p *jsPattern) term() (repeatable, ok bool) {
	start := p.pos
	if repeated, _ := p.quantifier(); repeated || p.pos > start {
		return false, false // nothing before it
	}
	switch {
	case p.take("|"), p.take("^"), p.take("$"), p.take(`\b`), p.take(`\B`):
		return false, true
	case p.take("(?<="), p.take("(?<!"):
		return false, p.group()
	case p.take("(?="), p.take("(?!"), p.take("(?:"):
		return true, p.group()
	case p.take("(?<"):
		name, ok := p.name()
		if !ok || slices.Contains(p.groups, name) {
			return false, false
		}
		p.groups = append(p.groups, name)
		return true, p.group()
	case p.take("(?"):
		return false, false
	case p.take("("):
		return true, p.group()
	case p.take("["):
		return true, p.class()
	case p.take(`\k`):
		p.call()
		return true, true
	case p.take(`\`) && p.pos == len(p.text):
		return false, false
	}
	p.next()
	return true, true
}

func (p *jsPattern) group() bool { return p.alternatives() && p.take(")") }

// call reads what \k refers to.
func (p *jsPattern) call() {
	start := p.pos
	if p.take("<") {
		if name, ok := p.name(); ok {
			p.calls = append(p.calls, name)
			return
		}
	}
	p.pos, p.broken = start, true
}

// name reads a group's name and the `>` after it.
func (p *jsPattern) name() (string, bool) {
	var units []uint16
	for p.pos < len(p.text) && p.text[p.pos] != '>' {
		units = append(units, p.next())
	}
	name := utf16.Decode(units)
	for i, r := range name {
		if !unicode.IsLetter(r) && r != '_' && r != '$' && (i == 0 || !unicode.IsDigit(r)) {
			return "", false
		}
	}
	return string(name), len(name) > 0 && p.take(">")
}

// quantifier reads how often the term before may come. A brace that is none is
// a letter and left.
func (p *jsPattern) quantifier() (repeated, ok bool) {
	start := p.pos
	if !p.take("*") && !p.take("+") && !p.take("?") {
		if !p.take("{") {
			return false, true
		}
		least, given := p.digits()
		most, bounded := least, false
		if p.take(",") {
			if most, bounded = p.digits(); !bounded {
				most = least
			}
		}
		if !given || !p.take("}") {
			p.pos = start
			return false, true
		}
		if least > most {
			return true, false
		}
	}
	p.take("?")
	return true, true
}

// digits reads a number; one beyond all counting stays the same.
func (p *jsPattern) digits() (number int, given bool) {
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		number, given = min(number*10+int(p.next()-'0'), math.MaxInt32), true
	}
	return number, given
}
