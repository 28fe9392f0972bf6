package yaml

import "strings"

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// skipSpace is the first offset from at on that is neither blank nor a break;
// a byte order mark may stand where a line begins.
func skipSpace(body string, at int) int {
	for at < len(body) {
		switch {
		case isBlank(body[at]) || isBreak(body[at]):
			at++
		case body[at] == byteOrderMark[0] && strings.HasPrefix(body[at:], byteOrderMark):
			at += len(byteOrderMark)
		default:
			return at
		}
	}
	return at
}

// lineEnd is where the line that holds at ends, without its break.
func lineEnd(body string, at int) int {
	for at < len(body) && !isBreak(body[at]) {
		at++
	}
	return at
}

// lineStart is where the line that holds at starts.
func lineStart(body string, at int) int {
	return strings.LastIndexAny(body[:at], "\r\n") + 1
}

// nextLine is where the line after the one that ends at end starts.
func nextLine(body string, end int) int {
	if strings.HasPrefix(body[end:], "\r\n") {
		return end + 2
	}
	return min(end+1, len(body))
}

// indentation is the number of spaces that body has from at on.
func indentation(body string, at int) int {
	n := 0
	for at+n < len(body) && body[at+n] == ' ' {
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
	words := skipBlanks(body, line)
	return words == len(body) || isBreak(body[words])
}

func skipBlanks(body string, at int) int {
	for at < len(body) && isBlank(body[at]) {
		at++
	}
	return at
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
	at := 0
	for at < len(body) && isBlankLine(body, at) {
		at = nextLine(body, lineEnd(body, at))
	}
	return at
}
