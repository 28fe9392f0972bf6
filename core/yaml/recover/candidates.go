package recover

import (
	"slices"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

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
	var suspects []int
	add := func(pos int) {
		line := lines.Start(r.body, pos)
		if !slices.Contains(suspects, line) && !lines.IsBlankLine(r.body, line) {
			suspects = append(suspects, line)
		}
	}
	context := max(fail.contextStart, 0)
	// addUnclosed adds lines that open a quote or bracket without closing it: those that a line below
	// seems to close, or those that none does.
	addUnclosed := func(below bool) {
		for line := lines.Start(r.body, context); line <= fail.offset && line < len(r.body) && len(suspects) < maxSuspects/2; line = lines.Next(r.body, lines.End(r.body, line)) {
			if isUnclosed(r.body, line) && isClosedBelow(r.body, line) == below {
				add(line)
			}
		}
	}
	addUnclosed(false)
	addUnclosed(true)
	add(fail.offset)
	if fail.contextStart >= 0 {
		add(context)
	}
	for line := lines.Start(r.body, fail.offset); ; line = lines.Previous(r.body, line) {
		add(line)
		if line == 0 || len(suspects) >= maxSuspects {
			return suspects
		}
	}
}
