package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Layout is the division of an evalset or a result file in JSON into cases and the rest. Each
// case can be parsed alone. The spans are adjacent, and start and end at line boundaries.
type Layout struct {
	Key    string      // the key of the list, as written
	column int         // indentation of the cases' opening brackets in bytes
	Cases  []text.Span // at least one; includes the comments directly above a case
}

// Keys of the lists of cases, in an evalset and in a result file.
const (
	CasesKey   = "eval_cases"
	resultsKey = "eval_case_results"
)

// SplitCases finds the cases of an evalset or a result file by the lines on which they begin, as ADK
// and JSON formatters write them. It returns nil if a comment spans several lines, and if a case
// shares a line with another or with the list's key, as in minified JSON.
//
// The result may be wrong for unusual texts. Callers that parse the chunks must check them
// with [UnclosedBrackets].
func SplitCases(body string) *Layout {
	if len(body) > yaml.MaxBytes || hasMultilineComment(body) {
		return nil
	}
	l := &Layout{}
	from, key := l.findList(body)
	if from < 0 {
		return nil
	}
	if end := l.cutCases(body, from); end == len(body) || findKey(body[end:], key) >= 0 {
		return nil
	}
	return l
}

// findList returns the start of the list and its key in snake_case, or -1 if the text cannot be
// split.
func (l *Layout) findList(body string) (list int, key string) {
	at, key := listKey(body)
	if strings.HasPrefix(body, "\uFEFF") || at < 0 {
		return -1, key
	}
	if list = l.findListLine(body, at); list < 0 {
		return -1, key
	}
	first := skipComments(body, list)
	if l.column = indentation(body[first:]); l.column == 0 || !strings.HasPrefix(body[first+l.column:], "{") {
		return -1, key
	}
	return list, key
}

// listKey returns the offset of the first key of a list of cases, or -1, and its snake_case name.
func listKey(body string) (at int, key string) {
	at, key = findKey(body, CasesKey), CasesKey
	if at >= 0 {
		body = body[:at]
	}
	if other := findKey(body, resultsKey); other >= 0 {
		return other, resultsKey
	}
	return at, key
}

// findListLine returns the start of the line after the one that opens the list whose key is at at,
// or -1.
func (l *Layout) findListLine(body string, at int) int {
	if at < 0 {
		return -1
	}
	line := body[at:lineEnd(body, at)]
	end := 1 + strings.IndexByte(line[1:], '"')
	l.Key = line[1:end]
	rest, colon := strings.CutPrefix(strings.TrimLeft(line[end+1:], " \t"), ":")
	rest, opened := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "[")
	if !colon || !opened || !isBlankOrComment(rest) {
		return -1
	}
	return lineEnd(body, at)
}

// findKey returns the offset of the first occurrence of a key in either style, or -1.
func findKey(body, key string) int {
	first := -1
	for _, key := range []string{key, schema.CamelCase(key)} {
		if at := strings.Index(body, `"`+key+`"`); at >= 0 {
			first, body = at, body[:at]
		}
	}
	return first
}

// cutCases appends the spans of the list that starts at from. It returns the start of the line
// that closes the list, or the end of the text.
func (l *Layout) cutCases(body string, from int) int {
	span, first := text.Span{Start: from}, true
	line := from
	for ; line < len(body); line = lineEnd(body, line) {
		column := indentation(body[line:])
		rest := body[line+column : lineEnd(body, line)]
		if column <= l.column && strings.HasPrefix(rest, "]") {
			break
		}
		if column != l.column || !strings.HasPrefix(rest, "{") {
			continue
		}
		if !first {
			span.End = commentsStart(body, line, span.Start)
			l.Cases = append(l.Cases, span)
			span.Start = span.End
		}
		first = false
	}
	span.End = line
	l.Cases = append(l.Cases, span)
	return line
}

// lineEnd returns the offset after the line that contains at, including its line break.
func lineEnd(body string, at int) int {
	if n := strings.IndexByte(body[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(body)
}

// indentation returns the number of spaces and tabs at the start of a line.
func indentation(line string) int {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

// skipComments returns the start of the first line from line on with more than a comment.
func skipComments(body string, line int) int {
	for line < len(body) && isBlankOrComment(body[line:lineEnd(body, line)]) {
		line = lineEnd(body, line)
	}
	return line
}

// commentsStart returns the start of the comments directly above a line, blank lines included. It
// searches no further back than first.
func commentsStart(body string, line, first int) int {
	start := line
	for line > first {
		line = strings.LastIndexByte(body[:line-1], '\n') + 1
		content := body[line:lineEnd(body, line)]
		if !isBlankOrComment(content) {
			break
		}
		if strings.TrimSpace(content) != "" {
			start = line
		}
	}
	return start
}

// isBlankOrComment reports whether a line is empty or holds only comments.
func isBlankOrComment(line string) bool {
	for {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "/*") {
			return line == "" || strings.HasPrefix(line, "//")
		}
		line = line[commentEnd(line, 0):]
	}
}

// hasMultilineComment reports whether a comment extends beyond its line.
func hasMultilineComment(body string) bool {
	if !strings.Contains(body, "/*") {
		return false
	}
	for line := range strings.Lines(body) {
		for _, e := range findExcess(line) {
			if e.Kind == Comment && line[e.Span.Start+1] == '*' && (e.Span.Len() < len("/**/") || !strings.HasSuffix(line[:e.Span.End], "*/")) {
				return true
			}
		}
	}
	return false
}

// UnclosedBrackets returns the brackets of a text without their counterpart in it, in order. It
// ignores strings and comments. Concatenating the results for several texts and applying it
// again gives the result for the concatenated texts.
func UnclosedBrackets(body string) string {
	var left []byte
	for i := 0; i < len(body); {
		end := i + 1
		switch c := body[i]; c {
		case '"':
			end = stringEnd(body, i)
		case '/':
			if i+1 < len(body) && (body[i+1] == '/' || body[i+1] == '*') {
				end = commentEnd(body, i)
			}
		case '{', '[':
			left = append(left, c)
		case '}', ']':
			if n := len(left) - 1; n >= 0 && left[n] == c-2 { // in ASCII a closing bracket is two after its opening one
				left = left[:n]
			} else {
				left = append(left, c)
			}
		}
		i = end
	}
	return string(left)
}
