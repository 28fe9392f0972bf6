package yaml

import "strings"

// isUnclosed reports whether the value on the line that starts at start opens
// a quote or bracket and does not close it before the line's end.
func isUnclosed(body string, start int) bool {
	return unclosedAt(body, start) >= 0
}

// hasUnclosedLine reports whether any line of body opens what it does not close.
func hasUnclosedLine(body string) bool {
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

// unclosedAt is the offset of the quote or bracket that the line does not close,
// or -1.
func unclosedAt(body string, start int) int {
	l := layoutOfLine(body, start)
	from := l.dashesEnd
	if l.valueStart > 0 {
		from = min(skipBlanks(body, l.valueStart), l.span.End)
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
			end := doubleQuotedEnd(content, pos)
			if end == len(content) && (end-1 == pos || content[end-1] != '"' || endsEscaped(content, pos)) {
				return pos
			}
			pos = end
		case c == '\'' && opens && startsToken(content, pos, from):
			end := singleQuotedEnd(content, pos)
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

// startsToken tells a quote that opens from an apostrophe inside a word.
func startsToken(content string, pos, from int) bool {
	return pos == from || strings.IndexByte(" \t\r\n,:[]{}", content[pos-1]) >= 0
}

// endsEscaped reports whether the quote that ends words is itself escaped.
func endsEscaped(content string, from int) bool {
	slashes := 0
	for i := len(content) - 2; i > from && content[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 1
}
