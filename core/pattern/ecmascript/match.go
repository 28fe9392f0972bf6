package ecmascript

type op int

const (
	opMatch     op = iota // the pattern, or what is looked at, matches
	opCharacter           // one character in set
	opRun                 // min to max characters in set, as many as possible
	opLineStart
	opLineEnd
	opWordBoundary
	opNotWordBoundary
	opSplit     // go on at to, and at other if that fails
	opJump      // to
	opSave      // the position in slot
	opReference // the text of the group in slot
	opLook      // at what follows, then go on at to
	opStart     // set the count in slot to 0
	opLoop      // repeat what follows, or go on at to
	opEnter     // begin a repetition
	opNext      // end a repetition that began at to
)

// instruction is one step of a match.
type instruction struct {
	op        op
	set       *set
	slot      int // of loops: the count; the next slot is where the repetition began
	to, other int
	min, max  int
	lazy      bool
	backward  bool
	negative  bool
	from      int // opEnter: the first slot of the captures in the loop, up to other
}

// compiler turns nodes into instructions.
type compiler struct {
	flags
	program []instruction
	slots   int
}

func (c *compiler) add(in instruction) int {
	c.program = append(c.program, in)
	return len(c.program) - 1
}

// emit adds the instructions of a node. In a look behind they go backward.
func (c *compiler) emit(n *node, backward bool) {
	switch n.kind {
	case sequence:
		for i := range n.nodes {
			if backward {
				i = len(n.nodes) - 1 - i
			}
			c.emit(n.nodes[i], backward)
		}
	case alternation:
		var ends []int
		for i, sub := range n.nodes {
			if i == len(n.nodes)-1 {
				c.emit(sub, backward)
				break
			}
			split := c.add(instruction{op: opSplit})
			c.program[split].to = len(c.program)
			c.emit(sub, backward)
			ends = append(ends, c.add(instruction{op: opJump}))
			c.program[split].other = len(c.program)
		}
		for _, i := range ends {
			c.program[i].to = len(c.program)
		}
	case character:
		c.add(instruction{op: opCharacter, set: n.set, backward: backward})
	case lineStart, lineEnd, wordBoundary, notWordBoundary:
		c.add(instruction{op: opLineStart + op(n.kind-lineStart)})
	case capture:
		first, second := 2*n.group, 2*n.group+1
		if backward {
			first, second = second, first
		}
		c.add(instruction{op: opSave, slot: first})
		c.emit(n.nodes[0], backward)
		c.add(instruction{op: opSave, slot: second})
	case reference:
		c.add(instruction{op: opReference, slot: 2 * n.group, backward: backward})
	case look:
		at := c.add(instruction{op: opLook, negative: n.negative})
		c.emit(n.nodes[0], n.behind)
		c.add(instruction{op: opMatch})
		c.program[at].to = len(c.program)
	case repeat:
		c.emitRepeat(n, backward)
	}
}

func (c *compiler) emitRepeat(n *node, backward bool) {
	if n.nodes[0].kind == character && !n.lazy {
		c.add(instruction{op: opRun, set: n.nodes[0].set, min: n.min, max: n.max, backward: backward})
		return
	}
	slot := c.slots
	c.slots += 2
	c.add(instruction{op: opStart, slot: slot})
	loop := c.add(instruction{op: opLoop, slot: slot, min: n.min, max: n.max, lazy: n.lazy})
	c.add(instruction{op: opEnter, slot: slot, from: 2*n.from + 2, other: 2*n.to + 2})
	c.emit(n.nodes[0], backward)
	c.add(instruction{op: opNext, slot: slot, to: loop, min: n.min})
	c.program[loop].to = len(c.program)
}

// choice is a place to return to. From a run of characters one returns to each position from low to
// at, the last one first; step is 1, or -1 if the run goes backward.
type choice struct {
	pc, at, undo int
	low, step    int // of a run; step is 0 for others
}

// matcher is one match.
type matcher struct {
	*Regexp
	text    []rune
	values  []int // by slot
	choices []choice
	undo    [][2]int // slots and their earlier values
	steps   int
	stopped bool
}

func (m *matcher) err() error {
	if m.stopped {
		return ErrTooComplex
	}
	return nil
}

func (m *matcher) set(slot, value int) {
	m.undo = append(m.undo, [2]int{slot, m.values[slot]})
	m.values[slot] = value
}

func (m *matcher) rollBack(undo int) {
	for i := len(m.undo) - 1; i >= undo; i-- {
		m.values[m.undo[i][0]] = m.undo[i][1]
	}
	m.undo = m.undo[:undo]
}

// run executes instructions from pc on until one of them is opMatch. It returns false if there is
// no way to it, or if the match was stopped.
func (m *matcher) run(pc, at int) bool {
	base := len(m.choices)
	defer func() { m.choices = m.choices[:base] }()
	for {
		if m.steps++; m.steps > maxSteps || len(m.choices) > maxChoices || len(m.undo) > maxChoices {
			m.stopped = true
			return false
		}
		in := &m.program[pc]
		if in.op == opMatch {
			return true
		}
		next, to, ok := m.step(in, pc, at)
		if ok {
			pc, at = next, to
			continue
		}
		if m.stopped || len(m.choices) == base {
			return false
		}
		last := &m.choices[len(m.choices)-1]
		m.rollBack(last.undo)
		pc, at = last.pc, last.at
		if last.step != 0 && last.at != last.low {
			last.at -= last.step
		} else {
			m.choices = m.choices[:len(m.choices)-1]
		}
	}
}

func (m *matcher) push(c choice) {
	c.undo = len(m.undo)
	m.choices = append(m.choices, c)
}

// step executes one instruction and returns where to go on.
func (m *matcher) step(in *instruction, pc, at int) (next, to int, ok bool) {
	switch in.op {
	case opCharacter:
		c, after := m.character(at, in.backward)
		return pc + 1, after, c != end && in.set.matches(m.flags, c)
	case opRun:
		return m.runCharacters(in, pc, at)
	case opLineStart:
		return pc + 1, at, at == 0 || m.multiline && lineTerminators.lists(m.text[at-1])
	case opLineEnd:
		return pc + 1, at, at == len(m.text) || m.multiline && lineTerminators.lists(m.text[at])
	case opWordBoundary, opNotWordBoundary:
		return pc + 1, at, (m.isWord(at-1) != m.isWord(at)) == (in.op == opWordBoundary)
	case opSplit:
		m.push(choice{pc: in.other, at: at})
		return in.to, at, true
	case opJump:
		return in.to, at, true
	case opSave:
		m.set(in.slot, at)
	case opReference:
		return m.reference(in, pc, at)
	case opLook:
		undo := len(m.undo)
		found := m.run(pc+1, at)
		if m.stopped || found == in.negative {
			return 0, 0, false
		}
		if in.negative {
			m.rollBack(undo)
		}
		return in.to, at, true
	case opStart:
		m.set(in.slot, 0)
	case opLoop:
		switch count := m.values[in.slot]; {
		case count < in.min:
		case in.max >= 0 && count >= in.max:
			return in.to, at, true
		case in.lazy:
			m.push(choice{pc: pc + 1, at: at})
			return in.to, at, true
		default:
			m.push(choice{pc: in.to, at: at})
		}
	case opEnter:
		m.set(in.slot, m.values[in.slot]+1)
		m.set(in.slot+1, at)
		for slot := in.from; slot < in.other; slot++ {
			m.set(slot, -1)
		}
	case opNext: // a repetition beyond the required ones must consume something
		return in.to, at, m.values[in.slot] <= in.min || at != m.values[in.slot+1]
	}
	return pc + 1, at, true
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

// runCharacters matches as many characters as possible, and remembers that fewer may do.
func (m *matcher) runCharacters(in *instruction, pc, at int) (next, to int, ok bool) {
	step, start, count := 1, at, 0
	if in.backward {
		step = -1
	}
	for in.max < 0 || count < in.max {
		c, after := m.character(at, in.backward)
		if c == end || !in.set.matches(m.flags, c) {
			break
		}
		at = after
		count++
	}
	m.steps += count / 8
	if count > in.min {
		m.push(choice{pc: pc + 1, at: at - step, low: start + step*in.min, step: step})
	}
	return pc + 1, at, count >= in.min
}

// reference matches the text of a group again. One that has not matched is empty.
func (m *matcher) reference(in *instruction, pc, at int) (next, to int, ok bool) {
	from, until := m.values[in.slot], m.values[in.slot+1]
	if from < 0 || until < 0 {
		return pc + 1, at, true
	}
	m.steps += until - from
	for i := range until - from {
		want := m.text[from+i]
		if in.backward {
			want = m.text[until-1-i]
		}
		c, after := m.character(at, in.backward)
		if c == end || m.canonical(c) != m.canonical(want) {
			return 0, 0, false
		}
		at = after
	}
	return pc + 1, at, true
}

func (m *matcher) isWord(at int) bool {
	return at >= 0 && at < len(m.text) && m.wordCharacters().lists(m.text[at])
}
