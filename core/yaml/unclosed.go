package yaml

import "strings"

// isUnclosed reports whether the value on the line that starts at start opens
// a quote or bracket and does not close it before the line's end.
func isUnclosed(body string, start int) bool {
	return unclosed(body, start) >= 0
}

// opensMore reports whether any line of body opens what it does not close.
func opensMore(body string) bool {
	for line := 0; line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if isUnclosed(body, line) {
			return true
		}
	}
	return false
}

// isClosedBelow reports whether the next line that is no deeper than the one
// that starts at start begins with a closing bracket: by the looks of it, what
// the line opens is closed there.
func isClosedBelow(body string, start int) bool {
	column := indentation(body, start)
	for line := nextLine(body, lineEnd(body, start)); line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if spaces := indentation(body, line); spaces <= column && !isBlankLine(body, line) {
			return body[line+spaces] == ']' || body[line+spaces] == '}'
		}
	}
	return false
}

// unclosed is the offset of the quote or bracket that the line does not close,
// or -1.
func unclosed(body string, start int) int {
	l := lineAt(body, start)
	from := l.dashes
	if l.value > 0 {
		from = min(skipBlanks(body, l.value), l.span.End)
	}
	if from == l.span.End {
		return -1
	}
	var open []int
	words := body[:l.span.End]
	for at := from; at < l.span.End; {
		opens := len(open) > 0 || at == from
		switch c := words[at]; {
		case c == '"' && opens && startsToken(words, at, from):
			end := doubleQuotedEnd(words, at)
			if end == len(words) && (end-1 == at || words[end-1] != '"' || escapedEnd(words, at)) {
				return at
			}
			at = end
		case c == '\'' && opens && startsToken(words, at, from):
			end := singleQuotedEnd(words, at)
			if end == len(words) && (end-1 == at || words[end-1] != '\'' || strings.Count(words[at:], "'")%2 == 1) {
				return at
			}
			at = end
		case (c == '[' || c == '{') && opens:
			open = append(open, at)
			at++
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
			at++
		default:
			at++
		}
	}
	if len(open) > 0 {
		return open[0]
	}
	return -1
}

// startsToken tells a quote that opens from an apostrophe inside a word.
func startsToken(words string, at, from int) bool {
	return at == from || strings.IndexByte(" \t\r\n,:[]{}", words[at-1]) >= 0
}

// escapedEnd reports whether the quote that ends words is itself escaped.
func escapedEnd(words string, from int) bool {
	slashes := 0
	for i := len(words) - 2; i > from && words[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 1
}
