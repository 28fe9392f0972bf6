package yaml

import "strings"

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// skipSpace returns the first offset from pos on that is neither white space nor a byte order mark.
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

// lineEnd returns the end of the line that holds pos, without its break.
func lineEnd(body string, pos int) int {
	for pos < len(body) && !isBreak(body[pos]) {
		pos++
	}
	return pos
}

// lineStart returns the start of the line that holds pos.
func lineStart(body string, pos int) int {
	return strings.LastIndexAny(body[:pos], "\r\n") + 1
}

// nextLine returns the start of the line after the one that ends at end.
func nextLine(body string, end int) int {
	if strings.HasPrefix(body[end:], "\r\n") {
		return end + 2
	}
	return min(end+1, len(body))
}

// indentation counts the spaces in body from pos on.
func indentation(body string, pos int) int {
	n := 0
	for pos+n < len(body) && body[pos+n] == ' ' {
		n++
	}
	return n
}

// previousLine returns the start of the line before the one that starts at line, 0 if there is
// none.
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

// isDocumentMark reports whether the line that starts at line is a document marker, `---` or `...`,
// with or without content after it.
func isDocumentMark(body string, line int) bool {
	rest := body[line:]
	if !strings.HasPrefix(rest, "---") && !strings.HasPrefix(rest, "...") {
		return false
	}
	return len(rest) == 3 || isBlank(rest[3]) || isBreak(rest[3])
}

// contentLine returns the start of the first line of body that is not blank, or len(body).
func contentLine(body string) int {
	pos := 0
	for pos < len(body) && isBlankLine(body, pos) {
		pos = nextLine(body, lineEnd(body, pos))
	}
	return pos
}
