package recover

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// recoverUnclosed reads a text whose brackets are still open at its end, such as JSON that is being
// typed, as if they were closed. It may leave out the last line. It returns nil if open brackets
// are not the problem.
func (r *recovery) recoverUnclosed(fail *Failure) []*library.Node {
	first := lines.Start(r.body, lines.SkipSpace(r.body, 0))
	if !startsWithBracket(r.body, 0) || lines.SkipSpace(r.body, fail.offset) < len(r.body) || isClosedBelow(r.body, first) {
		return nil
	}
	cuts := []text.Span{{}}
	if last := lastContentLine(r.body); last > 0 {
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

func lastContentLine(body string) int {
	return lines.Start(body, len(strings.TrimRight(body, " \t\r\n")))
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
