package recover

import (
	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// recoverEdited tries to leave out only the edited lines, with at most half of the budget.
func (r *recovery) recoverEdited(fail *Failure) ([]*library.Node, *Failure) {
	if r.edited.Start < 0 || r.edited.Start > len(r.body) {
		return nil, fail
	}
	reserve := *r.budget / 2
	for _, cut := range r.editedCuts() {
		docs, failed := r.loadWithout(cut)
		if failed == nil {
			r.cut(fail, cut)
			return docs, nil
		}
		if *r.budget < reserve {
			break
		}
	}
	return nil, fail
}

// editedCuts returns the ways to leave out the edited lines. The last line comes first, because the
// cursor is there; all lines together come last.
func (r *recovery) editedCuts() []text.Span {
	var cuts []text.Span
	end := min(max(r.edited.End, r.edited.Start), len(r.body))
	first := lines.Start(r.body, r.edited.Start)
	for line := lines.Start(r.body, end); len(cuts) < maxRounds; line = lines.Previous(r.body, line) {
		cuts = append(cuts, r.lineCuts(line)...)
		if line <= first || line == 0 {
			break
		}
	}
	return append(cuts, r.afterDashes(text.Span{Start: first, End: lines.End(r.body, end)}))
}

// cutOneLine leaves out one line: the first candidate that makes the whole text readable, else the
// one with which the parser gets furthest. It returns false if no candidate gets further than fail.
func (r *recovery) cutOneLine(fail *Failure) bool {
	if fail.tooDeep {
		r.cut(fail, r.afterFirstDash(nestedLines(r.body, fail.offset)))
		return true
	}
	best, reach := text.Span{}, fail.furthest()
	for _, cut := range r.candidateCuts(fail) {
		docs, failed := r.loadWithout(cut)
		switch {
		case failed != nil && failed.furthest() > reach:
			best, reach = cut, failed.furthest()
		case failed == nil && r.isSameKind(docs):
			r.cut(fail, r.preferTail(cut, docs, fail))
			return true
		}
		if *r.budget < 0 {
			break
		}
	}
	if best.Empty() {
		return false
	}
	r.cut(fail, best)
	return true
}

// candidateCuts returns the cuts that may resolve fail, the likeliest first: single lines, then
// runs of incomplete lines.
func (r *recovery) candidateCuts(fail *Failure) []text.Span {
	var cuts, runs []text.Span
	suspects := r.suspectLines(fail)
	for _, line := range suspects {
		cuts = append(cuts, r.lineCuts(line)...)
		if run := r.incompleteLines(line); run.End > lines.End(r.body, line) {
			runs = append(runs, run)
		}
	}
	return append(cuts, runs...)
}

// incompleteLines returns the run of lines from line on that have the same indentation and are
// incomplete: without key or dash, or with an unclosed quote or bracket. It is empty if the line
// before belongs to the run too.
func (r *recovery) incompleteLines(line int) text.Span {
	column := lines.Indentation(r.body, line)
	same := func(line int) bool {
		l := layoutOfLine(r.body, line)
		return l.indentEnd-line == column && !lines.IsBlankLine(r.body, line) && (l.dashesEnd == l.indentEnd && l.valueStart == 0 || isUnclosed(r.body, line))
	}
	if !same(line) || line > 0 && same(lines.Previous(r.body, line)) {
		return text.Span{}
	}
	run := text.Span{Start: line, End: lines.End(r.body, line)}
	for next := lines.Next(r.body, run.End); next < len(r.body) && same(next); next = lines.Next(r.body, lines.End(r.body, next)) {
		run.End = lines.End(r.body, next)
	}
	return run
}

// preferTail returns cut, or the rest of the failing line if leaving that out keeps more nodes. A
// surplus bracket at the end of a long list then costs the bracket, not the list.
func (r *recovery) preferTail(cut text.Span, docs []*library.Node, fail *Failure) text.Span {
	tail := text.Span{Start: fail.offset, End: lines.End(r.body, fail.offset)}
	if tail.Empty() {
		return cut
	}
	more, failed := r.loadWithout(tail)
	if failed == nil && r.isSameKind(more) && countNodes(more) > countNodes(docs) {
		return tail
	}
	return cut
}

func countNodes(nodes []*library.Node) int {
	n := len(nodes)
	for _, node := range nodes {
		n += countNodes(node.Content)
	}
	return n
}

// nestedLines returns the line that holds pos and all following lines that are at least as deep.
func nestedLines(body string, pos int) text.Span {
	start := lines.Start(body, pos)
	column := lines.Indentation(body, start)
	stop := lines.End(body, start)
	for line := lines.Next(body, stop); line < len(body); line = lines.Next(body, lines.End(body, line)) {
		if !lines.IsBlankLine(body, line) && lines.Indentation(body, line) < column {
			break
		}
		stop = lines.End(body, line)
	}
	return text.Span{Start: start, End: stop}
}

// maxSuspects limits the lines of a part that are tried one by one.
const maxSuspects = 48

// suspectLines returns the starts of the non-blank lines that may cause fail, the likeliest first.
func (r *recovery) suspectLines(fail *Failure) []int {
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
	for line := lines.Start(r.body, fail.offset); ; line = lines.Previous(r.body, line) {
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
	line := lines.Start(s.body, pos)
	if s.seen[line] || lines.IsBlankLine(s.body, line) {
		return
	}
	s.seen[line] = true
	s.lines = append(s.lines, line)
}

// addUnclosed adds the lines between from and to that open a quote or bracket without closing it.
// below selects those that a line below seems to close, or those that none does.
func (s *suspectList) addUnclosed(from, to int, below bool) {
	for line := lines.Start(s.body, from); line <= to && line < len(s.body) && len(s.lines) < maxSuspects/2; line = lines.Next(s.body, lines.End(s.body, line)) {
		if isUnclosed(s.body, line) && isClosedBelow(s.body, line) == below {
			s.add(line)
		}
	}
}

// lineAbove returns the nearest non-blank line before the one of pos, or -1.
func (s *suspectList) lineAbove(pos int) int {
	if pos < 0 {
		return -1
	}
	for line := lines.Start(s.body, pos); line > 0; {
		line = lines.Previous(s.body, line)
		if !lines.IsBlankLine(s.body, line) {
			return line
		}
	}
	return -1
}

// parentLine returns the nearest line above the one of pos with less indentation.
func (s *suspectList) parentLine(pos int) int {
	column := lines.Indentation(s.body, lines.Start(s.body, pos))
	for line := s.lineAbove(pos); line >= 0; line = s.lineAbove(line) {
		if lines.Indentation(s.body, line) < column {
			return line
		}
	}
	return -1
}
