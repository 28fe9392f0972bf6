package ecmascript

import "slices"

// matcher is one match. It gives each node what remains to be matched after it, as a function that
// returns false to try the node's next way.
type matcher struct {
	*Regexp
	text     []rune
	captures []int // where each group begins and ends; −1 for one that has not matched
	steps    int
	depth    int
	stopped  bool
}

// succeed is what remains after the last node. A match that was stopped has none.
func (m *matcher) succeed(int) bool { return !m.stopped }

// match reports whether a node, and then the rest, match at a position. In a look behind they go
// backward.
func (m *matcher) match(n *node, at int, backward bool, rest func(at int) bool) bool {
	m.depth++
	defer func() { m.depth-- }()
	if m.steps++; m.steps > maxSteps || m.depth > maxDepth {
		m.stopped = true
	}
	if m.stopped {
		return false
	}
	switch n.kind {
	case sequence:
		return m.matchAll(n.nodes, at, backward, rest)
	case alternation:
		return slices.ContainsFunc(n.nodes, func(sub *node) bool { return m.match(sub, at, backward, rest) })
	case capture:
		group := m.captures[2*n.group : 2*n.group+2]
		return m.match(n.nodes[0], at, backward, func(to int) bool {
			before := [2]int(group)
			group[0], group[1] = min(at, to), max(at, to)
			if rest(to) {
				return true
			}
			copy(group, before[:])
			return false
		})
	case look:
		before := slices.Clone(m.captures)
		if found := m.match(n.nodes[0], at, n.behind, m.succeed); found != n.negative && !m.stopped && rest(at) {
			return true
		}
		copy(m.captures, before)
		return false
	case repeat:
		if n.nodes[0].kind == character {
			return m.matchRun(n, at, backward, rest)
		}
		return m.repeat(n, 0, at, backward, rest)
	}
	after, ok := m.matchOne(n, at, backward)
	return ok && rest(after)
}

// matchAll matches nodes one after the other.
func (m *matcher) matchAll(nodes []*node, at int, backward bool, rest func(at int) bool) bool {
	for len(nodes) > 0 {
		n, others := nodes[0], nodes[1:]
		if backward {
			n, others = nodes[len(nodes)-1], nodes[:len(nodes)-1]
		}
		if n.kind >= sequence {
			return m.match(n, at, backward, func(at int) bool { return m.matchAll(others, at, backward, rest) })
		}
		var ok bool
		if at, ok = m.matchOne(n, at, backward); !ok {
			return false
		}
		nodes = others
	}
	return rest(at)
}

// repeat matches a node again, after count times.
func (m *matcher) repeat(n *node, count, at int, backward bool, rest func(at int) bool) bool {
	again := func() bool {
		inside := m.captures[2*n.from+2 : 2*n.to+2]
		before := slices.Clone(inside)
		for i := range inside {
			inside[i] = -1
		}
		found := m.match(n.nodes[0], at, backward, func(to int) bool {
			return (count < n.min || to != at) && // a repetition beyond the required ones must consume something
				m.repeat(n, count+1, to, backward, rest)
		})
		if !found {
			copy(inside, before)
		}
		return found
	}
	switch {
	case count < n.min:
		return again()
	case n.max >= 0 && count >= n.max:
		return rest(at)
	case n.lazy:
		return rest(at) || again()
	}
	return again() || rest(at)
}

// matchRun repeats a character: as often as possible first, or last if it is lazy.
func (m *matcher) matchRun(n *node, at int, backward bool, rest func(at int) bool) bool {
	step, most := 1, 0
	if backward {
		step = -1
	}
	for n.max < 0 || most < n.max {
		c, _ := m.character(at+most*step, backward)
		if c == end || !n.nodes[0].set.matches(m.flags, c) {
			break
		}
		most++
	}
	m.steps += most / 8
	for i := range most - n.min + 1 {
		count := most - i
		if n.lazy {
			count = n.min + i
		}
		if rest(at + count*step) {
			return true
		}
	}
	return false
}

// matchOne matches a node that has only one way to match. It returns the position after it.
func (m *matcher) matchOne(n *node, at int, backward bool) (after int, ok bool) {
	m.steps++
	switch n.kind {
	case character:
		c, after := m.character(at, backward)
		return after, c != end && n.set.matches(m.flags, c)
	case lineStart:
		return at, at == 0 || m.multiline && lineTerminators.lists(m.text[at-1])
	case lineEnd:
		return at, at == len(m.text) || m.multiline && lineTerminators.lists(m.text[at])
	case wordBoundary, notWordBoundary:
		return at, (m.isWord(at-1) != m.isWord(at)) == (n.kind == wordBoundary)
	}
	return m.reference(n.group, at, backward)
}

// character returns the next character, or the one before if backward, and the position after it.
func (m *matcher) character(at int, backward bool) (c rune, after int) {
	switch {
	case backward && at > 0:
		return m.text[at-1], at - 1
	case !backward && at < len(m.text):
		return m.text[at], at + 1
	}
	return end, at
}

// reference matches the text of a group again. One that has not matched is empty.
func (m *matcher) reference(group, at int, backward bool) (after int, ok bool) {
	from, until := m.captures[2*group], m.captures[2*group+1]
	m.steps += until - from
	for i := range until - from {
		want := m.text[from+i]
		if backward {
			want = m.text[until-1-i]
		}
		c, after := m.character(at, backward)
		if c == end || m.canonical(c) != m.canonical(want) {
			return at, false
		}
		at = after
	}
	return at, true
}

func (m *matcher) isWord(at int) bool {
	return at >= 0 && at < len(m.text) && m.wordCharacters().lists(m.text[at])
}
