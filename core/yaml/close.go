package yaml

import (
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// closed reads a text in brackets that ends before they are closed, as JSON
// does that is written from top to bottom, as if they were; nil if that is not
// what is wrong. The last line may have to be left out for it.
func (r *rescue) closed(fail *failure) []*library.Node {
	first := lineStart(r.body, skipSpace(r.body, 0))
	if !isBracketed(r.body, 0) || skipSpace(r.body, fail.at) < len(r.body) || isClosedBelow(r.body, first) {
		return nil
	}
	cuts := []text.Span{{}}
	if last := lastLine(r.body); last > 0 {
		cuts = append(cuts, r.cutsOf(last)...)
	}
	for _, cut := range cuts {
		body := blank(r.body, cut)
		open, closers := openBrackets(body)
		if len(open) == 0 {
			continue
		}
		docs, left := r.attempt(body + closers)
		if left != nil {
			continue
		}
		r.cut(cut, fail)
		innermost := open[len(open)-1]
		r.problems = append(r.problems, fail.problem(r.source, text.Span{Start: innermost, End: lineEnd(r.body, innermost)}))
		for _, at := range open {
			r.open = append(r.open, char(at))
		}
		return docs
	}
	return nil
}

// lastLine is where the last line that holds something starts.
func lastLine(body string) int {
	return lineStart(body, len(strings.TrimRight(body, " \t\r\n")))
}

// openBrackets is where the brackets stand that body does not close, and what
// would close them, on a line of its own.
func openBrackets(body string) (open []int, closers string) {
	for at := 0; at < len(body); {
		switch c := body[at]; {
		case c == '"':
			at = doubleQuotedEnd(body, at)
			continue
		case c == '\'' && startsToken(body, at, 0):
			at = singleQuotedEnd(body, at)
			continue
		case c == '#' && (at == 0 || isBlank(body[at-1]) || isBreak(body[at-1])):
			at = lineEnd(body, at)
			continue
		case c == '[' || c == '{':
			open = append(open, at)
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
		}
		at++
	}
	closing := []byte{'\n'}
	for i := len(open) - 1; i >= 0; i-- {
		closing = append(closing, body[open[i]]+2) // ] and } are two after [ and {
	}
	return open, string(closing)
}
