package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// splitParts divides body into the parts that can be read each by itself: the
// items of a list under a top-level key, and what else stands under such keys.
// It goes by indentation alone, since it serves texts that have no tree.
func splitParts(body string) []text.Span {
	var parts []text.Span
	for _, chunk := range splitAtColumn(body, text.Span{Start: 0, End: len(body)}, 0, startsTopLevel) {
		column := dashColumn(body, chunk)
		if column <= 0 || endsInBlockHeader(body, chunk.Start) || startsWithBracket(body, chunk.Start) {
			parts = append(parts, chunk)
			continue
		}
		parts = append(parts, splitAtColumn(body, chunk, column, isDash)...)
	}
	return parts
}

// splitAtColumn cuts span before every line at column that starts something.
func splitAtColumn(body string, span text.Span, column int, starts func(string) bool) []text.Span {
	var parts []text.Span
	from := span.Start
	for line := span.Start; line < span.End; {
		end := lineEnd(body, line)
		if line > from && indentation(body, line) == column && starts(body[line+column:end]) {
			parts = append(parts, text.Span{Start: from, End: line})
			from = line
		}
		if line = nextLine(body, end); end == len(body) {
			break
		}
	}
	return append(parts, text.Span{Start: from, End: span.End})
}

func startsTopLevel(content string) bool {
	return isDash(content) || strings.HasPrefix(content, "---") || keyLength(content) > 0
}

func isDash(content string) bool {
	return content == "-" || len(content) > 1 && content[0] == '-' && isBlank(content[1])
}

// dashColumn is the indentation of the list items in chunk, -1 without any:
// that of a dash right below the first line, else the least of all dashes.
func dashColumn(body string, chunk text.Span) int {
	least, second := -1, false
	for line := nextLine(body, lineEnd(body, chunk.Start)); line < chunk.End; line = nextLine(body, lineEnd(body, line)) {
		column := indentation(body, line)
		content := body[line+column : lineEnd(body, line)]
		if content == "" || content[0] == '#' {
			continue
		}
		if isDash(content) {
			if !second {
				return column
			}
			if least < 0 || column < least {
				least = column
			}
		}
		second = true
	}
	return least
}

// startsWithBracket reports whether what comes first from at on is a bracket, as in
// JSON: a dash below is no item.
func startsWithBracket(body string, pos int) bool {
	pos = skipSpace(body, pos)
	return pos < len(body) && (body[pos] == '{' || body[pos] == '[')
}

func endsInBlockHeader(body string, line int) bool {
	content := strings.Fields(body[line:lineEnd(body, line)])
	last := content[max(len(content)-1, 0):]
	return len(content) > 1 && (last[0][0] == '|' || last[0][0] == '>') && strings.Trim(last[0][1:], "+-123456789") == ""
}

// keyLength is the length of a key and its colon at the start of words, 0 if
// words do not start with one.
func keyLength(content string) int {
	if content == "" || strings.IndexByte("#[]{},&*!|>%@`", content[0]) >= 0 {
		return 0
	}
	from := 0
	switch content[0] {
	case '"':
		from = doubleQuotedEnd(content, 0)
	case '\'':
		from = singleQuotedEnd(content, 0)
	}
	for i := from; i < len(content); i++ {
		if content[i] == ':' && (i+1 == len(content) || isBlank(content[i+1])) {
			return i + 1
		}
		if content[i] == '#' && i > 0 && isBlank(content[i-1]) {
			return 0
		}
	}
	return 0
}
