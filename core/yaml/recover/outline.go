package recover

import (
	"strings"

	library "go.yaml.in/yaml/v4"

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
		if column <= 0 || endsInBlockHeader(body, chunk.Start) || startsWithBracket(body, chunk.Start) {
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

func endsInBlockHeader(body string, line int) bool {
	content := strings.Fields(body[line:lines.End(body, line)])
	last := content[max(len(content)-1, 0):]
	return len(content) > 1 && (last[0][0] == '|' || last[0][0] == '>') && strings.Trim(last[0][1:], "+-123456789") == ""
}

// misplacedParts returns the top-level parts that cannot be in one document with most of the
// others: keys between the items of a list, or items between keys that already have values.
func misplacedParts(body string) []text.Span {
	var out []text.Span
	var s topLevelParts
	for _, part := range splitParts(body) {
		if lines.IsDocumentMark(body, part.Start) {
			out = append(out, s.minority()...)
			s = topLevelParts{}
		}
		s.add(body, part)
	}
	return append(out, s.minority()...)
}

// topLevelParts are the parts of one document, list items and mapping entries.
type topLevelParts struct {
	items, keys []text.Span
	open        bool // the last key has no value yet, so that items may be its value
}

func (p *topLevelParts) add(body string, part text.Span) {
	switch partKind(body, part.Start) {
	case library.SequenceNode:
		if !p.open && lines.Indentation(body, part.Start) == 0 {
			p.items = append(p.items, part)
		}
	case library.MappingNode:
		p.keys = append(p.keys, part)
		p.open = awaitsValue(body[part.Start+lines.KeyLength(body[part.Start:lines.End(body, part.Start)]) : part.End])
	}
}

// minority returns the smaller of the two kinds. If both are equal, it returns the kind that comes
// second.
func (p *topLevelParts) minority() []text.Span {
	switch {
	case len(p.items) == 0 || len(p.keys) == 0:
		return nil
	case len(p.items) > len(p.keys), len(p.items) == len(p.keys) && p.items[0].Start < p.keys[0].Start:
		return p.keys
	}
	return p.items
}

// awaitsValue reports whether rest, the text behind a key, holds at most comments, an anchor or a
// tag.
func awaitsValue(rest string) bool {
	end := lines.End(rest, 0)
	if content := strings.TrimLeft(rest[:end], " \t"); content != "" && strings.IndexByte("#&!", content[0]) < 0 {
		return false
	}
	for line := lines.Next(rest, end); line < len(rest); line = lines.Next(rest, lines.End(rest, line)) {
		if content := lines.SkipBlanks(rest, line); !lines.IsBlankLine(rest, line) && rest[content] != '#' {
			return false
		}
	}
	return true
}
