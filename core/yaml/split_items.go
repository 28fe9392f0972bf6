package yaml

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// ItemList divides a file into the items of one list and the rest. Each item can be read by itself.
// The spans touch and start at line starts.
type ItemList struct {
	Key    string      // key of the list
	Column int         // column of the items' dashes
	Items  []text.Span // at least one; the comments right above an item belong to it
}

// SplitItems finds the list under the first of keys that body has at the top level, and its items,
// by indentation alone. It returns nil for text whose meaning may change when divided: flow style,
// several documents, uncommon line breaks.
func SplitItems(body string, keys ...string) *ItemList {
	if isUnsplittable(body) {
		return nil
	}
	l := &ItemList{}
	from := l.findFirstItem(body, keys)
	if from < 0 {
		return nil
	}
	if end := l.scanItems(body, from); end < 0 || hasMoreLists(body, end, keys) {
		return nil
	}
	return l
}

// findFirstItem returns the start of the first item, -1 if it cannot be determined.
func (l *ItemList) findFirstItem(body string, keys []string) int {
	line := l.findKey(body, keys)
	if line < 0 {
		return -1
	}
	first := contentStart(body, line)
	if l.Column = lines.Indentation(body, first); !lines.IsDash(body[first+l.Column : lines.End(body, first)]) {
		return -1
	}
	return leadingComments(body, first, line, l.Column)
}

// isUnsplittable reports text that must be read as a whole: with line breaks that only some parsers
// see, a byte order mark, or beyond MaxBytes.
func isUnsplittable(body string) bool {
	if len(body) > MaxBytes || strings.HasPrefix(body, lines.ByteOrderMark) {
		return true
	}
	if strings.Count(body, "\r") != strings.Count(body, "\r\n") {
		return true
	}
	breaks := []string{"\u0085", "\u2028", "\u2029", "\x00"}
	return slices.ContainsFunc(breaks, func(s string) bool { return strings.Contains(body, s) })
}

// findKey returns the line after the list's key, -1 if no key is alone on its line.
func (l *ItemList) findKey(body string, keys []string) int {
	begun := false
	for line := 0; line < len(body); line = lines.Next(body, lines.End(body, line)) {
		content := body[line:lines.End(body, line)]
		switch {
		case content == "" || lines.IsBlank(content[0]) || content[0] == '#' || content == "---" && !begun:
			continue
		case lines.KeyLength(content) == 0: // a list, brackets or a document marker
			return -1
		}
		begun = true
		for _, key := range keys {
			if rest, is := strings.CutPrefix(content, key+":"); is {
				if rest = strings.TrimLeft(rest, " "); rest != "" && rest[0] != '#' {
					return -1
				}
				l.Key = key
				return lines.Next(body, line+len(content))
			}
		}
	}
	return -1
}

// contentStart returns the first line from line on that holds more than a comment.
func contentStart(body string, line int) int {
	for line < len(body) {
		end := lines.End(body, line)
		if content := strings.TrimLeft(body[line:end], " \t"); content != "" && content[0] != '#' {
			break
		}
		line = lines.Next(body, end)
	}
	return line
}

// leadingComments returns the start of the comments right above line, including blank lines between
// them, but not before first. Only comments at or left of column count: such a comment ends the
// item before it.
func leadingComments(body string, line, first, column int) int {
	start := line
	for line > first {
		line = lines.Previous(body, line)
		pos := line + lines.Indentation(body, line)
		switch content := body[pos:lines.End(body, pos)]; {
		case content == "":
		case content[0] == '#' && pos-line <= column:
			start = line
		default:
			return start
		}
	}
	return start
}

// scanItems splits the list that begins at from and returns its end, -1 if it cannot be determined.
func (l *ItemList) scanItems(body string, from int) int {
	first := true
	item := text.Span{Start: from}
	line := from
	for line < len(body) {
		end := len(body)
		if n := strings.IndexByte(body[line:], '\n'); n >= 0 { // lines.End would be slow; there are no other breaks
			end = line + n
		}
		column := lines.Indentation(body, line)
		content := strings.TrimSuffix(body[line+column:end], "\r")
		switch {
		case content == "" || content[0] == '#' || column > l.Column:
		case column == l.Column && lines.IsDash(content):
			if !first {
				item.End = leadingComments(body, line, item.Start, l.Column)
				l.Items = append(l.Items, item)
				item = text.Span{Start: item.End}
			}
			first = false
		case column == 0 && (lines.IsDocumentMark(body, line) || strings.IndexByte("?%&*!|>{[:", content[0]) >= 0):
			return -1
		case column == 0 && lines.KeyLength(content) > 0 && !l.isStrayKey(body, line):
			item.End = leadingComments(body, line, item.Start, l.Column)
			l.Items = append(l.Items, item)
			return item.End
		}
		line = end + 1
	}
	item.End = len(body)
	l.Items = append(l.Items, item)
	return item.End
}

// isStrayKey reports whether a key at the left margin is misplaced: it has a text value, and then
// the list continues. This happens while typing.
func (l *ItemList) isStrayKey(body string, line int) bool {
	content := body[line:lines.End(body, line)]
	value := strings.TrimLeft(content[lines.KeyLength(content):], " \t")
	if value == "" || strings.IndexByte("#|>&!*{[\"'", value[0]) >= 0 {
		return false
	}
	next := contentStart(body, lines.Next(body, line+len(content)))
	column := lines.Indentation(body, next)
	after := body[next+column : lines.End(body, next)]
	return column == l.Column && lines.IsDash(after) || column > 0 && lines.KeyLength(after) > 0
}

// hasMoreLists reports whether the text after the list contains another such list or document.
func hasMoreLists(body string, line int, keys []string) bool {
	for ; line < len(body); line = lines.Next(body, lines.End(body, line)) {
		content := strings.TrimLeft(body[line:lines.End(body, line)], `"'`)
		if lines.IsDocumentMark(body, line) || slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(content, key) }) {
			return true
		}
	}
	return false
}
