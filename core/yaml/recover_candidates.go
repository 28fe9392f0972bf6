package yaml

import (
	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// recoverEdited tries whether leaving out what is being typed is enough, with at most
// half of the patience.
func (r *recovery) recoverEdited(fail *loadFailure) ([]*library.Node, *loadFailure) {
	if r.edited.Start < 0 || r.edited.Start > len(r.body) {
		return nil, fail
	}
	reserve := *r.budget / 2
	for _, cut := range r.editedCuts() {
		docs, failed := r.loadWithout(cut)
		if failed == nil {
			r.cut(cut, fail)
			return docs, nil
		}
		if *r.budget < reserve {
			break
		}
	}
	return nil, fail
}

// editedCuts is the ways to leave out the edited lines: each line by itself, the
// last one first, for that is where the cursor is; then all of them.
func (r *recovery) editedCuts() []text.Span {
	var cuts []text.Span
	end := min(max(r.edited.End, r.edited.Start), len(r.body))
	first := lineStart(r.body, r.edited.Start)
	for line := lineStart(r.body, end); len(cuts) < maxRounds; line = previousLine(r.body, line) {
		cuts = append(cuts, r.lineCuts(line)...)
		if line <= first || line == 0 {
			break
		}
	}
	return append(cuts, r.afterDashes(text.Span{Start: first, End: lineEnd(r.body, end)}))
}

// cutOneLine leaves out one line: the first candidate that makes the whole text
// readable, or else the one that lets the parser get furthest. It is false if
// none gets further than fail.
func (r *recovery) cutOneLine(fail *loadFailure) bool {
	if fail.tooDeep {
		r.cut(r.afterFirstDash(nestedLines(r.body, fail.offset)), fail)
		return true
	}
	best, reach := text.Span{}, fail.furthest()
	for _, cut := range r.candidateCuts(fail) {
		docs, failed := r.loadWithout(cut)
		switch {
		case failed != nil && failed.furthest() > reach:
			best, reach = cut, failed.furthest()
		case failed == nil && r.isSameKind(docs):
			r.cut(r.preferTail(cut, docs, fail), fail)
			return true
		}
		if *r.budget < 0 {
			break
		}
	}
	if best.Empty() {
		return false
	}
	r.cut(best, fail)
	return true
}

// candidateCuts is what might be left out to get past fail, the likeliest first:
// single lines, then half lines that stand one below another.
func (r *recovery) candidateCuts(fail *loadFailure) []text.Span {
	var cuts, runs []text.Span
	lines := r.suspectLines(fail)
	for _, line := range lines {
		cuts = append(cuts, r.lineCuts(line)...)
		if run := r.incompleteLines(line); run.End > lineEnd(r.body, line) {
			runs = append(runs, run)
		}
	}
	return append(cuts, runs...)
}

// incompleteLines is the lines from the one that starts at line on that are as deep
// and lack something: a key or dash, or the end of what they open. It is empty
// if the line before is one of them too.
func (r *recovery) incompleteLines(line int) text.Span {
	column := indentation(r.body, line)
	same := func(line int) bool {
		l := layoutOfLine(r.body, line)
		return l.indentEnd-line == column && !isBlankLine(r.body, line) && (l.dashesEnd == l.indentEnd && l.valueStart == 0 || isUnclosed(r.body, line))
	}
	if !same(line) || line > 0 && same(previousLine(r.body, line)) {
		return text.Span{}
	}
	run := text.Span{Start: line, End: lineEnd(r.body, line)}
	for next := nextLine(r.body, run.End); next < len(r.body) && same(next); next = nextLine(r.body, lineEnd(r.body, next)) {
		run.End = lineEnd(r.body, next)
	}
	return run
}

// preferTail is cut, or the rest of the line from where the library stopped on if
// leaving that out keeps more: a bracket too many at the end of a list over
// many lines costs the bracket, not the list.
func (r *recovery) preferTail(cut text.Span, docs []*library.Node, fail *loadFailure) text.Span {
	tail := text.Span{Start: fail.offset, End: lineEnd(r.body, fail.offset)}
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

// nestedLines is the line that holds at and all that follow it as deep or deeper.
func nestedLines(body string, pos int) text.Span {
	start := lineStart(body, pos)
	column := indentation(body, start)
	stop := lineEnd(body, start)
	for line := nextLine(body, stop); line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if !isBlankLine(body, line) && indentation(body, line) < column {
			break
		}
		stop = lineEnd(body, line)
	}
	return text.Span{Start: start, End: stop}
}
