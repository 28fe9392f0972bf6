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
	Column int         // column of the items' dashes or brackets
	Items  []text.Span // at least one; the comments right above an item belong to it
}

// SplitItems finds the list under the first of keys that body has at the top level, and its items,
// by indentation alone. It returns nil for text whose meaning may change when divided: flow style,
// several documents, uncommon line breaks.
func SplitItems(body string, keys ...string) *ItemList {
	if isUnsplittable(body) {
		return nil
	}
	s := &itemSplitter{body: body}
	end := s.scanItems(s.findKey(keys))
	if end < 0 {
		return nil
	}
	for line := end; line < len(body); line = lines.Next(body, lines.End(body, line)) { // another such list or document?
		content := strings.TrimLeft(body[line:lines.End(body, line)], `"'`)
		if lines.IsDocumentMark(body, line) || slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(content, key) }) {
			return nil
		}
	}
	return &s.ItemList
}

// SplitJSONItems finds the list under the first of keys in body, and its items, by the lines on
// which they begin, as JSON formatters write them. It returns nil if an item shares a line with
// another or with the list's key, as in minified JSON. The result may be wrong for unusual texts,
// so callers must check that each item is one.
func SplitJSONItems(body string, keys ...string) *ItemList {
	if len(body) > MaxBytes || strings.HasPrefix(body, lines.ByteOrderMark) {
		return nil
	}
	s := &itemSplitter{body: body, isJSON: true}
	if end := s.scanItems(s.findJSONKey(keys)); end < 0 || end == len(body) || s.Column == 0 {
		return nil
	}
	return &s.ItemList
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

// An itemSplitter finds the items of one list.
type itemSplitter struct {
	ItemList
	body   string
	isJSON bool
}

// lineAt returns the indentation and the content of the line that starts at line, and the start of
// the next.
func (s *itemSplitter) lineAt(line int) (column int, content string, next int) {
	next = len(s.body)
	if n := strings.IndexByte(s.body[line:], '\n'); n >= 0 {
		next = line + n + 1
	}
	content = strings.TrimSuffix(strings.TrimSuffix(s.body[line:next], "\n"), "\r")
	if s.isJSON {
		column = lines.SkipBlanks(content, 0)
	} else {
		column = lines.Indentation(content, 0)
	}
	return column, content[column:], next
}

// isTrivia reports whether the content of a line is empty or a comment.
func (s *itemSplitter) isTrivia(content string) bool {
	if s.isJSON {
		return content == "" || strings.HasPrefix(content, "//") || strings.HasPrefix(content, "/*") && strings.HasSuffix(content, "*/")
	}
	return content == "" || content[0] == '#'
}

func (s *itemSplitter) startsItem(content string) bool {
	if s.isJSON {
		return strings.HasPrefix(content, "{")
	}
	return lines.IsDash(content)
}

// findKey returns the line after the list's key, -1 if no key is alone on its line.
func (s *itemSplitter) findKey(keys []string) int {
	begun := false
	for line := 0; line < len(s.body); {
		column, content, next := s.lineAt(line)
		switch {
		case s.isTrivia(content) || column > 0 || lines.IsBlank(content[0]) || content == "---" && !begun:
			line = next
			continue
		case lines.KeyLength(content) == 0: // a list, brackets or a document marker
			return -1
		}
		begun = true
		for _, key := range keys {
			if rest, is := strings.CutPrefix(content, key+":"); is {
				if s.Key = key; s.isTrivia(strings.TrimLeft(rest, " ")) {
					return next
				}
				return -1
			}
		}
		line = next
	}
	return -1
}

// findJSONKey returns the line after the list's key, -1 if that line does not end behind `[`.
func (s *itemSplitter) findJSONKey(keys []string) int {
	before := s.body
	for _, key := range keys {
		if at := strings.Index(before, `"`+key+`"`); at >= 0 {
			before, s.Key = before[:at], key
		}
	}
	if s.Key == "" {
		return -1
	}
	_, content, next := s.lineAt(len(before))
	rest, hasColon := strings.CutPrefix(strings.TrimLeft(content[len(s.Key)+2:], " \t"), ":")
	rest, opens := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "[")
	if !hasColon || !opens || !s.isTrivia(strings.TrimSpace(rest)) {
		return -1
	}
	return next
}

// contentStart returns the first line from line on that holds more than a comment.
func (s *itemSplitter) contentStart(line int) int {
	for line < len(s.body) {
		_, content, next := s.lineAt(line)
		if !s.isTrivia(content) {
			break
		}
		line = next
	}
	return line
}

// leadingComments returns the start of the comments right above line, including blank lines between
// them, but not before first. Only comments at or left of the items' column count: such a comment
// ends the item before it.
func (s *itemSplitter) leadingComments(line, first int) int {
	start := line
	for line > first {
		line = lines.Previous(s.body, line)
		switch column, content, _ := s.lineAt(line); {
		case content == "":
		case s.isTrivia(content) && column <= s.Column:
			start = line
		default:
			return start
		}
	}
	return start
}

// scanItems splits the list whose first line is line and returns its end. It returns -1 if it
// cannot be determined, or if line is -1.
func (s *itemSplitter) scanItems(line int) int {
	if line < 0 {
		return -1
	}
	first := s.contentStart(line)
	column, content, next := s.lineAt(first)
	if s.Column = column; !s.startsItem(content) {
		return -1
	}
	item := text.Span{Start: s.leadingComments(first, line)}
	if s.isJSON {
		item.Start = line
	}
	add := func(end int) int {
		item.End = end
		s.Items = append(s.Items, item)
		item.Start = end
		return end
	}
	for line = next; line < len(s.body); line = next {
		column, content, next = s.lineAt(line)
		switch {
		case s.isTrivia(content) || column > s.Column:
		case column == s.Column && s.startsItem(content):
			add(s.leadingComments(line, item.Start))
		case s.isJSON:
			if content[0] == ']' {
				return add(line)
			}
		case column == 0 && (lines.IsDocumentMark(s.body, line) || strings.IndexByte("?%&*!|>{[:", content[0]) >= 0):
			return -1
		case column == 0 && lines.KeyLength(content) > 0 && !s.isStrayKey(content, next):
			return add(s.leadingComments(line, item.Start))
		}
	}
	return add(len(s.body))
}

// isStrayKey reports whether a key at the left margin is misplaced: it has a text value, and then
// the list continues. This happens while typing.
func (s *itemSplitter) isStrayKey(content string, next int) bool {
	value := strings.TrimLeft(content[lines.KeyLength(content):], " \t")
	if value == "" || strings.IndexByte("#|>&!*{[\"'", value[0]) >= 0 {
		return false
	}
	column, after, _ := s.lineAt(s.contentStart(next))
	return column == s.Column && lines.IsDash(after) || column > 0 && lines.KeyLength(after) > 0
}
