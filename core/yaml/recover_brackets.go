package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// recoverUnclosed reads a text in brackets that ends before they are closed, as JSON
// does that is written from top to bottom, as if they were; nil if that is not
// what is wrong. The last line may have to be left out for it.
func (r *recovery) recoverUnclosed(fail *loadFailure) []*library.Node {
	first := lineStart(r.body, skipSpace(r.body, 0))
	if !startsWithBracket(r.body, 0) || skipSpace(r.body, fail.offset) < len(r.body) || isClosedBelow(r.body, first) {
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
		r.cut(cut, fail)
		innermost := open[len(open)-1]
		r.problems = append(r.problems, fail.problem(r.source, text.Span{Start: innermost, End: lineEnd(r.body, innermost)}))
		for _, pos := range open {
			r.unclosed = append(r.unclosed, byteSpan(pos))
		}
		return docs
	}
	return nil
}

// lastContentLine is where the last line that holds something starts.
func lastContentLine(body string) int {
	return lineStart(body, len(strings.TrimRight(body, " \t\r\n")))
}

// openBrackets is where the brackets stand that body does not close, and what
// would close them, on a line of its own.
func openBrackets(body string) (open []int, closers string) {
	for pos := 0; pos < len(body); {
		switch c := body[pos]; {
		case c == '"':
			pos = doubleQuotedEnd(body, pos)
			continue
		case c == '\'' && startsToken(body, pos, 0):
			pos = singleQuotedEnd(body, pos)
			continue
		case c == '#' && (pos == 0 || isBlank(body[pos-1]) || isBreak(body[pos-1])):
			pos = lineEnd(body, pos)
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
