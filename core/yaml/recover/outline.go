package recover

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// splitParts divides body into parts that can be read separately: the items of a list under a
// top-level key, and the other text under such keys. It goes by indentation alone, because broken
// text has no tree.
func splitParts(body string) []text.Span {
	var parts []text.Span
	for _, chunk := range splitAtColumn(body, text.Span{Start: 0, End: len(body)}, 0, startsTopLevel) {
		column := dashColumn(body, chunk)
		if column <= 0 || startsWithBracket(body, chunk.Start) {
			parts = append(parts, chunk)
			continue
		}
		parts = append(parts, splitAtColumn(body, chunk, column, lines.IsDash)...)
	}
	return parts
}

// splitAtColumn splits span before every line whose indentation is column and whose content
// satisfies starts.
func splitAtColumn(body string, span text.Span, column int, starts func(string) bool) []text.Span {
	var parts []text.Span
	from := span.Start
	for line := span.Start; line < span.End; {
		end := lines.End(body, line)
		if line > from && lines.Indentation(body, line) == column && starts(body[line+column:end]) {
			parts = append(parts, text.Span{Start: from, End: line})
			from = line
		}
		if line = lines.Next(body, end); end == len(body) {
			break
		}
	}
	return append(parts, text.Span{Start: from, End: span.End})
}

func startsTopLevel(content string) bool {
	return lines.IsDash(content) || strings.HasPrefix(content, "---") || lines.KeyLength(content) > 0
}

// dashColumn returns the indentation of the list items in chunk, -1 without any. A dash right below
// the first line decides; otherwise the least indented dash does.
func dashColumn(body string, chunk text.Span) int {
	least, second := -1, false
	for line := lines.Next(body, lines.End(body, chunk.Start)); line < chunk.End; line = lines.Next(body, lines.End(body, line)) {
		column := lines.Indentation(body, line)
		content := body[line+column : lines.End(body, line)]
		if content == "" || content[0] == '#' {
			continue
		}
		if lines.IsDash(content) {
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

// startsWithBracket reports whether the first character from pos on is a bracket, as in JSON. A
// dash below it is then no list item.
func startsWithBracket(body string, pos int) bool {
	pos = lines.SkipSpace(body, pos)
	return pos < len(body) && (body[pos] == '{' || body[pos] == '[')
}
