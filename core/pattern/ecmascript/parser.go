package ecmascript

import (
	"fmt"
	"math"
	"unicode"
)

type kind int

// Those before sequence have only one way to match.
const (
	character kind = iota // in set
	lineStart
	lineEnd
	wordBoundary
	notWordBoundary
	reference   // to group
	sequence    // of nodes
	alternation // of nodes
	capture     // of nodes[0] as group
	look        // at nodes[0]
	repeat      // of nodes[0]
)

// node is a part of a pattern.
type node struct {
	kind             kind
	nodes            []*node
	set              *set
	group            int  // capture and reference
	behind, negative bool // look
	min, max         int  // repeat; max is -1 without a limit
	lazy             bool // repeat
	from, to         int  // repeat: the groups in it, from < group <= to
}

// parser reads a pattern. Methods panic with a [syntaxError].
type parser struct {
	flags
	source []rune
	at     int
	groups int            // so far
	total  int            // in the whole pattern
	names  map[string]int // of groups
}

type syntaxError struct{ error }

const end = rune(-1)

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{fmt.Errorf("invalid regular expression: "+format, args...)})
}

func (p *parser) parse() (n *node, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case syntaxError:
			err = fault.error
		default:
			panic(fault)
		}
	}()
	if len(p.source) > maxPattern {
		p.fail("it is too long")
	}
	p.countGroups()
	n = p.parseAlternatives()
	if p.peek() == ')' {
		p.fail("`)` without `(`")
	}
	return n, nil
}

func (p *parser) peek() rune { return p.peekAt(0) }

func (p *parser) peekAt(i int) rune {
	if p.at+i >= len(p.source) {
		return end
	}
	return p.source[p.at+i]
}

func (p *parser) next() rune {
	c := p.peek()
	p.at++
	return c
}

// skip skips a text, if it is next.
func (p *parser) skip(text string) bool {
	for i, c := range []rune(text) {
		if p.peekAt(i) != c {
			return false
		}
	}
	p.at += len([]rune(text))
	return true
}

// countGroups counts the groups before anything refers to them.
func (p *parser) countGroups() {
	p.names = map[string]int{}
	inClass := false
	for c := p.next(); c != end; c = p.next() {
		switch {
		case c == '\\':
			p.at++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c != '(' || inClass:
		case p.peek() != '?':
			p.total++
		case p.peekAt(1) == '<' && p.peekAt(2) != '=' && p.peekAt(2) != '!':
			p.at += 2
			p.total++
			name := p.parseName()
			if p.names[name] > 0 {
				p.fail("two groups are called `%s`", name)
			}
			p.names[name] = p.total
		}
	}
	p.at = 0
}

// parseName parses the rest of <name>.
func (p *parser) parseName() string {
	var name []rune
	for c := p.next(); c != '>'; c = p.next() {
		if c != '$' && c != '_' && !unicode.IsLetter(c) && (len(name) == 0 || !unicode.IsDigit(c)) {
			p.fail("a group's name is invalid")
		}
		name = append(name, c)
	}
	if len(name) == 0 {
		p.fail("a group's name is empty")
	}
	return string(name)
}

func (p *parser) parseAlternatives() *node {
	n := &node{kind: alternation}
	for {
		all := &node{kind: sequence}
		for p.peek() != end && p.peek() != '|' && p.peek() != ')' {
			all.nodes = append(all.nodes, p.parseTerm())
		}
		n.nodes = append(n.nodes, all)
		if p.peek() != '|' {
			break
		}
		p.at++
	}
	if len(n.nodes) == 1 {
		return n.nodes[0]
	}
	return n
}

func (p *parser) parseTerm() *node {
	before := p.groups
	n := p.parseAtom()
	r := node{kind: repeat, nodes: []*node{n}, from: before, to: p.groups}
	switch {
	case p.skip("*"):
		r.min, r.max = 0, -1
	case p.skip("+"):
		r.min, r.max = 1, -1
	case p.skip("?"):
		r.min, r.max = 0, 1
	case !p.parseBounds(&r):
		return n
	}
	r.lazy = p.skip("?")
	switch n.kind {
	case lineStart, lineEnd, wordBoundary, notWordBoundary:
		p.fail("nothing to repeat")
	case look:
		if p.unicode || n.behind {
			p.fail("nothing to repeat")
		}
	}
	if r.max >= 0 && r.max < r.min {
		p.fail("numbers out of order in a quantifier")
	}
	return &r
}

// parseBounds parses {min}, {min,} or {min,max}. Without flag u, other braces are characters.
func (p *parser) parseBounds(r *node) bool {
	start := p.at
	if !p.skip("{") {
		return false
	}
	var ok bool
	r.min, ok = p.parseNumber()
	r.max = r.min
	if ok && p.skip(",") {
		if r.max, ok = p.parseNumber(); !ok {
			r.max, ok = -1, true
		}
	}
	if ok && p.skip("}") {
		return true
	}
	if p.unicode {
		p.fail("incomplete quantifier")
	}
	p.at = start
	return false
}

func (p *parser) parseNumber() (n int, ok bool) {
	for ; p.peek() >= '0' && p.peek() <= '9'; p.at++ {
		n, ok = min(n*10+int(p.peek()-'0'), math.MaxInt32), true
	}
	return n, ok
}

func (p *parser) parseAtom() *node {
	switch c := p.next(); c {
	case '^':
		return &node{kind: lineStart}
	case '$':
		return &node{kind: lineEnd}
	case '.':
		lines := lineTerminators
		if p.dotAll {
			lines = &set{}
		}
		return &node{kind: character, set: &set{negated: true, sets: []*set{lines}}}
	case '(':
		return p.parseGroup()
	case '[':
		return &node{kind: character, set: p.parseClass()}
	case '\\':
		return p.parseEscape()
	case '*', '+', '?':
		p.fail("nothing to repeat")
	case '{', '}', ']':
		if p.unicode {
			p.fail("lone `%c`", c)
		}
		if p.at--; p.parseBounds(&node{}) {
			p.fail("nothing to repeat")
		}
		p.at++
		return literal(c)
	default:
		return literal(c)
	}
	return nil
}

func literal(c rune) *node { return &node{kind: character, set: &set{ranges: [][2]rune{{c, c}}}} }

func (p *parser) parseGroup() *node {
	n := &node{kind: sequence}
	switch {
	case p.skip("?:"):
	case p.skip("?="):
		n = &node{kind: look}
	case p.skip("?!"):
		n = &node{kind: look, negative: true}
	case p.skip("?<="):
		n = &node{kind: look, behind: true}
	case p.skip("?<!"):
		n = &node{kind: look, behind: true, negative: true}
	case p.skip("?<"):
		p.parseName()
		p.groups++
		n = &node{kind: capture, group: p.groups}
	case p.peek() == '?':
		p.fail("invalid group")
	default:
		p.groups++
		n = &node{kind: capture, group: p.groups}
	}
	n.nodes = []*node{p.parseAlternatives()}
	if !p.skip(")") {
		p.fail("a group is not closed")
	}
	return n
}
