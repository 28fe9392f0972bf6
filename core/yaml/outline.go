package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// outline divides body into the parts that can be read each by itself: the
// items of a list under a top-level key, and what else stands under such keys.
// It goes by indentation alone, since it serves texts that have no tree.
func outline(body string) []text.Span {
	var parts []text.Span
	for _, chunk := range split(body, text.Span{Start: 0, End: len(body)}, 0, isTopLevel) {
		column := dashColumn(body, chunk)
		if column <= 0 || endsInBlockHeader(body, chunk.Start) || isBracketed(body, chunk.Start) {
			parts = append(parts, chunk)
			continue
		}
		parts = append(parts, split(body, chunk, column, isDash)...)
	}
	return parts
}

// split cuts span before every line at column that starts something.
func split(body string, span text.Span, column int, starts func(string) bool) []text.Span {
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

func isTopLevel(words string) bool {
	return isDash(words) || strings.HasPrefix(words, "---") || keyEnd(words) > 0
}

func isDash(words string) bool {
	return words == "-" || len(words) > 1 && words[0] == '-' && isBlank(words[1])
}

// dashColumn is the indentation of the list items in chunk, -1 without any:
// that of a dash right below the first line, else the least of all dashes.
func dashColumn(body string, chunk text.Span) int {
	least, second := -1, false
	for line := nextLine(body, lineEnd(body, chunk.Start)); line < chunk.End; line = nextLine(body, lineEnd(body, line)) {
		column := indentation(body, line)
		words := body[line+column : lineEnd(body, line)]
		if words == "" || words[0] == '#' {
			continue
		}
		if isDash(words) {
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

// isBracketed reports whether what comes first from at on is a bracket, as in
// JSON: a dash below is no item.
func isBracketed(body string, at int) bool {
	at = skipSpace(body, at)
	return at < len(body) && (body[at] == '{' || body[at] == '[')
}

func endsInBlockHeader(body string, line int) bool {
	words := strings.Fields(body[line:lineEnd(body, line)])
	last := words[max(len(words)-1, 0):]
	return len(words) > 1 && (last[0][0] == '|' || last[0][0] == '>') && strings.Trim(last[0][1:], "+-123456789") == ""
}

// keyEnd is the length of a key and its colon at the start of words, 0 if
// words do not start with one.
func keyEnd(words string) int {
	if words == "" || strings.IndexByte("#[]{},&*!|>%@`", words[0]) >= 0 {
		return 0
	}
	from := 0
	switch words[0] {
	case '"':
		from = doubleQuotedEnd(words, 0)
	case '\'':
		from = singleQuotedEnd(words, 0)
	}
	for i := from; i < len(words); i++ {
		if words[i] == ':' && (i+1 == len(words) || isBlank(words[i+1])) {
			return i + 1
		}
		if words[i] == '#' && i > 0 && isBlank(words[i-1]) {
			return 0
		}
	}
	return 0
}
