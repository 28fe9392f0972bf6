package yaml

// maxSuspects is how many lines of a part are tried one by one.
const maxSuspects = 48

// suspectLines is the starts of the lines that may be to blame for fail, the
// likeliest first. Only lines that hold something are named.
func (r *recovery) suspectLines(fail *loadFailure) []int {
	s := &suspectList{body: r.body, seen: map[int]bool{}}
	s.add(r.edited.Start)
	context := max(fail.contextStart, 0)
	s.addUnclosed(context, fail.offset, false)
	if fail.blamesContext() {
		s.add(context)
	}
	s.addUnclosed(context, fail.offset, true)
	s.add(fail.offset)
	if fail.contextStart >= 0 {
		s.add(context)
	}
	s.add(s.lineAbove(fail.offset))
	s.add(s.lineAbove(s.lineAbove(fail.offset)))
	s.add(s.parentLine(fail.offset))
	s.add(s.parentLine(context))
	s.add(s.lineAbove(context))
	for line := lineStart(r.body, fail.offset); ; line = previousLine(r.body, line) {
		s.add(line)
		if line == 0 || len(s.lines) >= maxSuspects {
			break
		}
	}
	return s.lines
}

type suspectList struct {
	body  string
	lines []int
	seen  map[int]bool
}

func (s *suspectList) add(pos int) {
	if pos < 0 || pos > len(s.body) {
		return
	}
	line := lineStart(s.body, pos)
	if s.seen[line] || isBlankLine(s.body, line) {
		return
	}
	s.seen[line] = true
	s.lines = append(s.lines, line)
}

// addUnclosed names the lines from one that holds from to one that holds to which
// open something that they do not close: those that a line below seems to close,
// or those that none does.
func (s *suspectList) addUnclosed(from, to int, below bool) {
	for line := lineStart(s.body, from); line <= to && line < len(s.body) && len(s.lines) < maxSuspects/2; line = nextLine(s.body, lineEnd(s.body, line)) {
		if isUnclosed(s.body, line) && isClosedBelow(s.body, line) == below {
			s.add(line)
		}
	}
}

// lineAbove is the nearest line before the one of at that holds something, or -1.
func (s *suspectList) lineAbove(pos int) int {
	if pos < 0 {
		return -1
	}
	for line := lineStart(s.body, pos); line > 0; {
		line = previousLine(s.body, line)
		if !isBlankLine(s.body, line) {
			return line
		}
	}
	return -1
}

// parentLine is the nearest line above that stands less deep than the one of at.
func (s *suspectList) parentLine(pos int) int {
	column := indentation(s.body, lineStart(s.body, pos))
	for line := s.lineAbove(pos); line >= 0; line = s.lineAbove(line) {
		if indentation(s.body, line) < column {
			return line
		}
	}
	return -1
}
