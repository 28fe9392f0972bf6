package recover

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
	library "go.yaml.in/yaml/v4"
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

// recoverUnclosed reads a text whose brackets are still open at its end, such as JSON that is being
// typed, as if they were closed. It may leave out the last line. It returns nil if open brackets
// are not the problem.
func (r *recovery) recoverUnclosed(fail *Failure) []*library.Node {
	first := lines.Start(r.body, lines.SkipSpace(r.body, 0))
	if !startsWithBracket(r.body, 0) || lines.SkipSpace(r.body, fail.offset) < len(r.body) || isClosedBelow(r.body, first) {
		return nil
	}
	cuts := []text.Span{{}}
	if last := lines.Start(r.body, len(strings.TrimRight(r.body, " \t\r\n"))); last > 0 {
		cuts = append(cuts, r.lineCuts(last)...)
	}
	for _, cut := range cuts {
		body := blankOut(r.body, cut)
		open, closers := openBrackets(body)
		if len(open) == 0 {
			continue
		}
		docs, failed := r.loadWithinBudget(body + closers)
		if failed != nil {
			continue
		}
		r.cut(fail, cut)
		innermost := open[len(open)-1]
		r.problems = append(r.problems, fail.Problem(r.source, text.Span{Start: innermost, End: lines.End(r.body, innermost)}))
		for _, pos := range open {
			r.unclosed = append(r.unclosed, byteSpan(pos))
		}
		return docs
	}
	return nil
}

// openBrackets returns the offsets of the brackets that body does not close, and the text that
// closes them on a line of its own.
func openBrackets(body string) (open []int, closers string) {
	for pos := 0; pos < len(body); {
		switch c := body[pos]; {
		case c == '"':
			pos = lines.DoubleQuotedEnd(body, pos)
			continue
		case c == '\'' && startsToken(body, pos, 0):
			pos = lines.SingleQuotedEnd(body, pos)
			continue
		case c == '#' && (pos == 0 || lines.IsBlank(body[pos-1]) || lines.IsBreak(body[pos-1])):
			pos = lines.End(body, pos)
			continue
		case c == '[' || c == '{':
			open = append(open, pos)
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
		pos++
	}
	closing := []byte{'\n'}
	for i := len(open) - 1; i >= 0; i-- {
		closing = append(closing, body[open[i]]+2) // ] and } are two after [ and {
	}
	return open, string(closing)
}

// isUnclosed reports whether the value on the line at start opens a quote or bracket and does not
// close it on that line.
func isUnclosed(body string, start int) bool {
	return unclosedAt(body, start) >= 0
}

func hasUnclosedLine(body string) bool {
	for line := 0; line < len(body); line = lines.Next(body, lines.End(body, line)) {
		if isUnclosed(body, line) {
			return true
		}
	}
	return false
}

// isClosedBelow reports whether the next line that is no deeper than the one at start begins with a
// closing bracket. It then probably closes what the line opens.
func isClosedBelow(body string, start int) bool {
	column := lines.Indentation(body, start)
	for line := lines.Next(body, lines.End(body, start)); line < len(body); line = lines.Next(body, lines.End(body, line)) {
		if spaces := lines.Indentation(body, line); spaces <= column && !lines.IsBlankLine(body, line) {
			return body[line+spaces] == ']' || body[line+spaces] == '}'
		}
	}
	return false
}

// unclosedAt returns the offset of the quote or bracket that the line at start does not close, or
// -1.
func unclosedAt(body string, start int) int {
	l := layoutOfLine(body, start)
	from := l.dashesEnd
	if l.valueStart > 0 {
		from = min(lines.SkipBlanks(body, l.valueStart), l.span.End)
	}
	if from == l.span.End {
		return -1
	}
	var open []int
	content := body[:l.span.End]
	for pos := from; pos < l.span.End; {
		opens := len(open) > 0 || pos == from
		switch c := content[pos]; {
		case c == '"' && opens && startsToken(content, pos, from):
			end := lines.DoubleQuotedEnd(content, pos)
			if end == len(content) && (end-1 == pos || content[end-1] != '"' || endsEscaped(content, pos)) {
				return pos
			}
			pos = end
		case c == '\'' && opens && startsToken(content, pos, from):
			end := lines.SingleQuotedEnd(content, pos)
			if end == len(content) && (end-1 == pos || content[end-1] != '\'' || strings.Count(content[pos:], "'")%2 == 1) {
				return pos
			}
			pos = end
		case (c == '[' || c == '{') && opens:
			open = append(open, pos)
			pos++
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
			pos++
		default:
			pos++
		}
	}
	if len(open) > 0 {
		return open[0]
	}
	return -1
}

// startsToken distinguishes an opening quote from an apostrophe inside a word.
func startsToken(content string, pos, from int) bool {
	return pos == from || strings.IndexByte(" \t\r\n,:[]{}", content[pos-1]) >= 0
}

// endsEscaped reports whether the last quote of content is escaped.
func endsEscaped(content string, from int) bool {
	slashes := 0
	for i := len(content) - 2; i > from && content[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 1
}
