package yaml

// maxSuspects is how many lines of a part are tried one by one.
const maxSuspects = 48

// suspects is the starts of the lines that may be to blame for fail, the
// likeliest first. Only lines that hold something are named.
func (r *rescue) suspects(fail *failure) []int {
	s := &suspects{body: r.body, named: map[int]bool{}}
	s.name(r.hint.Start)
	context := max(fail.context, 0)
	s.unclosed(context, fail.at, false)
	if fail.blamesContext() {
		s.name(context)
	}
	s.unclosed(context, fail.at, true)
	s.name(fail.at)
	if fail.context >= 0 {
		s.name(context)
	}
	s.name(s.above(fail.at))
	s.name(s.above(s.above(fail.at)))
	s.name(s.parent(fail.at))
	s.name(s.parent(context))
	s.name(s.above(context))
	for line := lineStart(r.body, fail.at); ; line = previousLine(r.body, line) {
		s.name(line)
		if line == 0 || len(s.lines) >= maxSuspects {
			break
		}
	}
	return s.lines
}

type suspects struct {
	body  string
	lines []int
	named map[int]bool
}

func (s *suspects) name(at int) {
	if at < 0 || at > len(s.body) {
		return
	}
	line := lineStart(s.body, at)
	if s.named[line] || isBlankLine(s.body, line) {
		return
	}
	s.named[line] = true
	s.lines = append(s.lines, line)
}

// unclosed names the lines from one that holds from to one that holds to which
// open something that they do not close: those that a line below seems to close,
// or those that none does.
func (s *suspects) unclosed(from, to int, below bool) {
	for line := lineStart(s.body, from); line <= to && line < len(s.body) && len(s.lines) < maxSuspects/2; line = nextLine(s.body, lineEnd(s.body, line)) {
		if isUnclosed(s.body, line) && isClosedBelow(s.body, line) == below {
			s.name(line)
		}
	}
}

// above is the nearest line before the one of at that holds something, or -1.
func (s *suspects) above(at int) int {
	if at < 0 {
		return -1
	}
	for line := lineStart(s.body, at); line > 0; {
		line = previousLine(s.body, line)
		if !isBlankLine(s.body, line) {
			return line
		}
	}
	return -1
}

// parent is the nearest line above that stands less deep than the one of at.
func (s *suspects) parent(at int) int {
	column := indentation(s.body, lineStart(s.body, at))
	for line := s.above(at); line >= 0; line = s.above(line) {
		if indentation(s.body, line) < column {
			return line
		}
	}
	return -1
}
