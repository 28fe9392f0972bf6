package conformance

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
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

// TestValidatorPattern holds what JavaScript says of each; most of what is refused there
// Go takes, or the other way round.
func TestValidatorPattern(t *testing.T) {
	for pattern, want := range map[string]bool{
		``: true, `a|`: true, `(?=a)*`: true, `(?!a){2}`: true, `(?<=a)b`: true, `(a)\1\9`: true, `[]`: true, `[^]`: true,
		`a{`: true, `a{,2}`: true, `a{2,1`: true, `{a`: true, `]}`: true, `a{1}?`: true, `\k`: true, `\k<a>`: true, `(?<a>.)\k<a>`: true,
		`[\d-z]`: true, `[a-\d]`: true, `[--a]`: true, `[z-]`: true, `\c`: true, `\u{1F600}`: true, `\x4`: true, `[\x41-\u00e9]`: true,
		`[\0-\377]`: true, `[\cA-\cZ]`: true, `😀+`: true, `(?<größe>.)`: true, `a{00002,3}`: true, `[\c-z]`: true, `[\400-9]`: true,

		`[invalid`: false, `(`: false, `)`: false, `(?a)`: false, `*`: false, `a**`: false, `a{1}{2}`: false, `{1}`: false, `|+`: false,
		`^*`: false, `\b+`: false, `(?<=a)*`: false, `a{2,1}`: false, `[z-a]`: false, `[\x62-a]`: false, `[😀-😁]`: false, `\`: false, `[\`: false,
		`(?<a>.)(?<a>.)`: false, `(?<1>.)`: false, `(?<>.)`: false, `(?<a.)`: false, `(?<a>.)\k<b>`: false, `(?<a>.)\k`: false,
		`(?<a>.)[\k]`: false, `[\400-!]`: false, `[\8-7]`: false, `[\u00zz-a]`: false, `[\c-A]`: false,
	} {
		found := evalFindings(agentv.Head, parse("prompts: [q]\ntests:\n  - assert:\n      - type: regex\n        value: '"+pattern+"'\n"), surroundings{})
		if got := findingLines(found, ""); (got == "") != want || got != "" && got != "warning regex_invalid tests[0].assert[0].value" {
			t.Errorf("%s: %q, want it taken: %v", pattern, got, want)
		}
	}
}
