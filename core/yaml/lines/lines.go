// Package lines finds lines, and what begins them, in a YAML text without parsing it.
// An offset named line is the start of a line.
package lines

import "strings"

// ByteOrderMark may begin a text.
const ByteOrderMark = "\uFEFF"

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsBreak reports whether c ends a line.
func IsBreak(c byte) bool { return c == '\n' || c == '\r' }

// ContentStart returns the length of the byte order marks that begin body. Elsewhere they are content.
func ContentStart(body string) int { return len(body) - len(strings.TrimLeft(body, ByteOrderMark)) }

// SkipSpace returns the first offset from pos on that is neither white space nor a byte order mark that begins body.
func SkipSpace(body string, pos int) int {
	if pos == 0 {
		pos = ContentStart(body)
	}
	for pos < len(body) && (IsBlank(body[pos]) || IsBreak(body[pos])) {
		pos++
	}
	return pos
}

// End returns the end of the line that holds pos, without its break.
func End(body string, pos int) int {
	for pos < len(body) && !IsBreak(body[pos]) {
		pos++
	}
	return pos
}

// Start returns the start of the line that holds pos.
func Start(body string, pos int) int {
	return strings.LastIndexAny(body[:pos], "\r\n") + 1
}

// Next returns the start of the line after the one that ends at end.
func Next(body string, end int) int {
	if strings.HasPrefix(body[end:], "\r\n") {
		return end + 2
	}
	return min(end+1, len(body))
}

// Indentation counts the spaces in body from pos on.
func Indentation(body string, pos int) int {
	n := 0
	for pos+n < len(body) && body[pos+n] == ' ' {
		n++
	}
	return n
}

// Previous returns the start of the line before the one that starts at line, 0 if there is
// none.
func Previous(body string, line int) int {
	end := max(line-1, 0)
	if end > 0 && body[end] == '\n' && body[end-1] == '\r' {
		end--
	}
	return Start(body, end)
}

// IsBlankLine reports whether the line that starts at line holds only spaces and tabs.
func IsBlankLine(body string, line int) bool {
	content := SkipBlanks(body, line)
	return content == len(body) || IsBreak(body[content])
}

// SkipBlanks returns the first offset from pos on that is not a space or a tab.
func SkipBlanks(body string, pos int) int {
	for pos < len(body) && IsBlank(body[pos]) {
		pos++
	}
	return pos
}

// IsDocumentMark reports whether the line that starts at line is a document marker, `---` or `...`,
// with or without content after it.
func IsDocumentMark(body string, line int) bool {
	rest := body[line:]
	if !strings.HasPrefix(rest, "---") && !strings.HasPrefix(rest, "...") {
		return false
	}
	return len(rest) == 3 || IsBlank(rest[3]) || IsBreak(rest[3])
}

// ContentLine returns the start of the first line of body that is not blank, or len(body).
func ContentLine(body string) int {
	pos := 0
	for pos < len(body) && IsBlankLine(body, pos) {
		pos = Next(body, End(body, pos))
	}
	return pos
}

// IsDash reports whether the content of a line begins with the dash of a list item.
func IsDash(content string) bool {
	return content == "-" || len(content) > 1 && content[0] == '-' && IsBlank(content[1])
}

// KeyLength returns the length of the key and colon at the start of content, 0 without a key.
func KeyLength(content string) int {
	if content == "" || strings.IndexByte("#[]{},&*!|>%@`", content[0]) >= 0 {
		return 0
	}
	from := 0
	switch content[0] {
	case '"':
		from = DoubleQuotedEnd(content, 0)
	case '\'':
		from = SingleQuotedEnd(content, 0)
	}
	for i := from; i < len(content); i++ {
		if content[i] == ':' && (i+1 == len(content) || IsBlank(content[i+1])) {
			return i + 1
		}
		if content[i] == '#' && i > 0 && IsBlank(content[i-1]) {
			return 0
		}
	}
	return 0
}

// DoubleQuotedEnd returns the end of the double-quoted text that starts at start.
func DoubleQuotedEnd(body string, start int) int {
	for pos := start + 1; pos < len(body); pos++ {
		switch body[pos] {
		case '\\':
			pos++
		case '"':
			return pos + 1
		}
	}
	return len(body)
}

// SingleQuotedEnd returns the end of the single-quoted text that starts at start.
func SingleQuotedEnd(body string, start int) int {
	for pos := start + 1; pos < len(body); pos++ {
		if body[pos] != '\'' {
			continue
		}
		if pos+1 < len(body) && body[pos+1] == '\'' {
			pos++
			continue
		}
		return pos + 1
	}
	return len(body)
}

// Column returns the offset of pos in its line, where byte order marks that begin body do not count.
func Column(body string, pos int) int {
	start := Start(body, pos)
	if start == 0 {
		start = ContentStart(body)
	}
	return pos - start
}
