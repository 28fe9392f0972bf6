package yaml

import "strings"

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// skipSpace is the first offset from at on that is neither blank nor a break;
// a byte order mark may stand where a line begins.
func skipSpace(body string, pos int) int {
	for pos < len(body) {
		switch {
		case isBlank(body[pos]) || isBreak(body[pos]):
			pos++
		case body[pos] == byteOrderMark[0] && strings.HasPrefix(body[pos:], byteOrderMark):
			pos += len(byteOrderMark)
		default:
			return pos
		}
	}
	return pos
}

// lineEnd is where the line that holds at ends, without its break.
func lineEnd(body string, pos int) int {
	for pos < len(body) && !isBreak(body[pos]) {
		pos++
	}
	return pos
}

// lineStart is where the line that holds at starts.
func lineStart(body string, pos int) int {
	return strings.LastIndexAny(body[:pos], "\r\n") + 1
}

// nextLine is where the line after the one that ends at end starts.
func nextLine(body string, end int) int {
	if strings.HasPrefix(body[end:], "\r\n") {
		return end + 2
	}
	return min(end+1, len(body))
}

// indentation is the number of spaces that body has from at on.
func indentation(body string, pos int) int {
	n := 0
	for pos+n < len(body) && body[pos+n] == ' ' {
		n++
	}
	return n
}

// previousLine is where the line before the one that starts at line starts; 0
// if there is none.
func previousLine(body string, line int) int {
	end := max(line-1, 0)
	if end > 0 && body[end] == '\n' && body[end-1] == '\r' {
		end--
	}
	return lineStart(body, end)
}

func isBlankLine(body string, line int) bool {
	content := skipBlanks(body, line)
	return content == len(body) || isBreak(body[content])
}

func skipBlanks(body string, pos int) int {
	for pos < len(body) && isBlank(body[pos]) {
		pos++
	}
	return pos
}

// isDocumentMark reports whether the line that starts at line is `---` or
// `...`, alone or with something after it.
func isDocumentMark(body string, line int) bool {
	rest := body[line:]
	if !strings.HasPrefix(rest, "---") && !strings.HasPrefix(rest, "...") {
		return false
	}
	return len(rest) == 3 || isBlank(rest[3]) || isBreak(rest[3])
}

// contentLine is where the first line of body that holds something starts, its
// length if there is none.
func contentLine(body string) int {
	pos := 0
	for pos < len(body) && isBlankLine(body, pos) {
		pos = nextLine(body, lineEnd(body, pos))
	}
	return pos
}
