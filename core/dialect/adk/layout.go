package adk

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Layout is how an evalset or a result file in JSON divides into its cases and the
// rest, each of which can be read by itself. The spans touch, and start and end where
// lines do, unless the cases stand [Inline].
type Layout struct {
	Key    string      // of the list, as it stands there
	Column int         // in bytes, of the cases' opening brackets; or Inline
	Cases  []text.Span // at least one; the comments right above a case are in it
}

// InlineColumn is for a column where the first case stands on the line of the list's key, as
// all do in minified JSON.
const InlineColumn = -1

// The keys of the lists of cases, in an evalset and in a result file.
const (
	CasesKey   = "eval_cases"
	resultsKey = "eval_case_results"
)

// SplitCases finds the cases of an evalset or a result file by the lines that they begin
// on, as ADK and all that lay out JSON write them; where they stand inline, by their
// brackets. It gives nil for a text with a comment of several lines, which may hold
// anything, for one whose brackets are needed and do not match, and where only some
// cases begin lines.
//
// That the lines do not deceive is for whoever reads the pieces to see; see
// [Unclosed].
func SplitCases(body string) *Layout {
	if len(body) > yaml.MaxBytes || strings.HasPrefix(body, "\uFEFF") || hasMultilineComment(body) {
		return nil
	}
	layout := &Layout{}
	at, key := listKey(body)
	list := layout.findListLine(body, at)
	if list < 0 {
		return splitInline(body, at, key)
	}
	first := skipComments(body, list)
	layout.Column = indentation(body[first:])
	if layout.Column == 0 || !strings.HasPrefix(body[first+layout.Column:], "{") {
		return nil
	}
	end := layout.cutCases(body, list)
	if end == len(body) || findKey(body[end:], key) >= 0 {
		return nil
	}
	return layout
}

// ResplitCases divides a stretch of an evalset that begins and ends where cases with
// some column do; begins says that none stands before it, and more that another one
// follows it. It gives nil if that is no longer so.
func ResplitCases(body string, column int, begins, more bool) []text.Span {
	if column == InlineColumn {
		return resplitInline(body, begins, more)
	}
	first := skipComments(body, 0)
	switch {
	case len(body) > yaml.MaxBytes, hasMultilineComment(body), !strings.HasSuffix(body, "\n"), commentsStart(body, first, 0) != 0:
		return nil
	case indentation(body[first:]) != column, !strings.HasPrefix(body[first+column:], "{"):
		return nil
	case more && commentsStart(body, len(body), first) != len(body):
		return nil
	}
	layout := &Layout{Column: column}
	if layout.cutCases(body, 0) != len(body) {
		return nil
	}
	return layout.Cases
}

// listKey is where the key of a list of cases stands first, -1 if it does not, and
// which it is.
func listKey(body string) (at int, key string) {
	at, key = findKey(body, CasesKey), CasesKey
	if other := findKey(body, resultsKey); other >= 0 && (at < 0 || other < at) {
		return other, resultsKey
	}
	return at, key
}

// findListLine is the line after the one that opens the list whose key stands at at, -1 if
// that cannot be told.
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

// findKey is where a key stands first, in either style; -1 if it does not.
func findKey(body, key string) int {
	first := -1
	for _, key := range []string{key, camelCase(key)} {
		if at := strings.Index(body, `"`+key+`"`); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// cutCases cuts the list that begins at from and gives where the line begins that
// closes it; the end of the text if none does.
func (l *Layout) cutCases(body string, from int) int {
	span, first := text.Span{Start: from}, true
	line := from
	for ; line < len(body); line = lineEnd(body, line) {
		column := indentation(body[line:])
		words := body[line+column : lineEnd(body, line)]
		if column <= l.Column && strings.HasPrefix(words, "]") {
			break
		}
		if column != l.Column || !strings.HasPrefix(words, "{") {
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

// lineEnd is the place after the line that an offset is in, its break included.
func lineEnd(body string, at int) int {
	if n := strings.IndexByte(body[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(body)
}

// indentation is how many blanks a line begins with.
func indentation(line string) int {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

// skipComments is the first line from some line on that holds more than a comment.
func skipComments(body string, line int) int {
	for line < len(body) && isBlankOrComment(body[line:lineEnd(body, line)]) {
		line = lineEnd(body, line)
	}
	return line
}

// commentsStart is where the comments begin that stand right above a line, with blank
// lines among them. It does not go back beyond first.
func commentsStart(body string, line, first int) int {
	start := line
	for line > first {
		line = strings.LastIndexByte(body[:line-1], '\n') + 1
		words := body[line:lineEnd(body, line)]
		if !isBlankOrComment(words) {
			break
		}
		if strings.TrimSpace(words) != "" {
			start = line
		}
	}
	return start
}

// isBlankOrComment reports whether a line holds nothing, or comments alone.
func isBlankOrComment(line string) bool {
	for {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "/*") {
			return line == "" || strings.HasPrefix(line, "//")
		}
		line = line[commentEnd(line, 0):]
	}
}

// hasMultilineComment reports whether a comment goes beyond its line.
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

// UnclosedBrackets is the brackets of a text that close nothing in it, and those that
// nothing in it closes, in order. Texts and comments are no brackets. What several
// texts leave unclosed together is what their unclosed brackets do.
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
			if n := len(left) - 1; n >= 0 && left[n] == c-2 { // as ASCII has them
				left = left[:n]
			} else {
				left = append(left, c)
			}
		}
		i = end
	}
	return string(left)
}
