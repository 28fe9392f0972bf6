package yaml

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// Outline is how a file divides into the items of one list and the rest, each of
// which can be read by itself. The spans touch, and start where lines do.
type Outline struct {
	Key    string      // of the list
	Column int         // of the items' dashes
	Items  []text.Span // at least one; the comments right above an item are in it
}

// Split finds the list under the first of some top-level keys that body has, and
// the items in it, by indentation alone. Text that may mean something else
// when it is divided (flow style, several documents, uncommon line breaks) is
// not, and gives nil.
func Split(body string, keys ...string) *Outline {
	if odd(body) {
		return nil
	}
	o := &Outline{}
	from := o.begin(body, keys)
	if from < 0 {
		return nil
	}
	if end := o.items(body, from); end < 0 || resumes(body, end, keys) {
		return nil
	}
	return o
}

// begin finds where the items begin, -1 if that cannot be told.
func (o *Outline) begin(body string, keys []string) int {
	line := o.key(body, keys)
	if line < 0 {
		return -1
	}
	first := content(body, line)
	if o.Column = indentation(body, first); !isDash(body[first+o.Column : lineEnd(body, first)]) {
		return -1
	}
	return comments(body, first, line, o.Column)
}

// Resplit divides a stretch of a file that begins and ends where items at column
// do; more says that something follows it. It gives nil if that is no longer so.
func Resplit(body string, column int, more bool) []text.Span {
	first := content(body, 0)
	switch {
	case odd(body), first == len(body), comments(body, first, 0, column) != 0:
		return nil
	case indentation(body, first) != column, !isDash(body[first+column : lineEnd(body, first)]):
		return nil
	case more && (!strings.HasSuffix(body, "\n") || comments(body, len(body), first, column) != len(body)):
		return nil
	}
	o := &Outline{Column: column}
	if o.items(body, 0) != len(body) {
		return nil
	}
	return o.Items
}

// odd reports what is better read as a whole: line breaks that only some readers
// see, marks of documents, nothing at all.
func odd(body string) bool {
	if len(body) > MaxBytes || strings.HasPrefix(body, byteOrderMark) {
		return true
	}
	for _, mark := range []string{"\u0085", "\u2028", "\u2029", "\x00"} {
		if strings.Contains(body, mark) {
			return true
		}
	}
	for at := strings.IndexByte(body, '\r'); at >= 0; {
		if at+1 == len(body) || body[at+1] != '\n' {
			return true
		}
		next := strings.IndexByte(body[at+1:], '\r')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}

// key finds the line after that of the list's key, -1 if there is none that
// stands alone.
func (o *Outline) key(body string, keys []string) int {
	begun := false
	for line := 0; line < len(body); line = nextLine(body, lineEnd(body, line)) {
		words := body[line:lineEnd(body, line)]
		switch {
		case words == "" || isBlank(words[0]) || words[0] == '#' || words == "---" && !begun:
			continue
		case keyEnd(words) == 0: // a list, brackets, another document's mark
			return -1
		}
		begun = true
		for _, key := range keys {
			if rest, is := strings.CutPrefix(words, key+":"); is {
				if rest = strings.TrimLeft(rest, " "); rest != "" && rest[0] != '#' {
					return -1
				}
				o.Key = key
				return nextLine(body, line+len(words))
			}
		}
	}
	return -1
}

// content is the first line from line on that holds more than a comment.
func content(body string, line int) int {
	for line < len(body) {
		end := lineEnd(body, line)
		if words := strings.TrimLeft(body[line:end], " \t"); words != "" && words[0] != '#' {
			break
		}
		line = nextLine(body, end)
	}
	return line
}

// comments is where the comments begin that stand right above line, with blank
// lines among them, and no further right than column: such a comment ends
// whatever stands before it. It does not go back beyond first.
func comments(body string, line, first, column int) int {
	start := line
	for line > first {
		line = previousLine(body, line)
		at := line + indentation(body, line)
		switch words := body[at:lineEnd(body, at)]; {
		case words == "":
		case words[0] == '#' && at-line <= column:
			start = line
		default:
			return start
		}
	}
	return start
}

// items cuts the list that begins at from and gives where it ends, -1 if it
// cannot be told.
func (o *Outline) items(body string, from int) int {
	first := true
	item := text.Span{Start: from}
	line := from
	for line < len(body) {
		end := lineEnd(body, line)
		column := indentation(body, line)
		words := body[line+column : end]
		switch {
		case words == "" || words[0] == '#' || column > o.Column:
		case column == o.Column && isDash(words):
			if !first {
				item.End = comments(body, line, item.Start, o.Column)
				o.Items = append(o.Items, item)
				item = text.Span{Start: item.End}
			}
			first = false
		case column == 0 && (isDocumentMark(body, line) || strings.IndexByte("?%&*!|>{[:", words[0]) >= 0):
			return -1
		case column == 0 && keyEnd(words) > 0 && !o.strays(body, line):
			item.End = comments(body, line, item.Start, o.Column)
			o.Items = append(o.Items, item)
			return item.End
		}
		if line = nextLine(body, end); end == len(body) {
			break
		}
	}
	item.End = len(body)
	o.Items = append(o.Items, item)
	return item.End
}

// strays reports whether a key at the left margin is where it cannot be: it has a
// text for its value, and then the list goes on. Somebody is typing there.
func (o *Outline) strays(body string, line int) bool {
	words := body[line:lineEnd(body, line)]
	value := strings.TrimLeft(words[keyEnd(words):], " \t")
	if value == "" || strings.IndexByte("#|>&!*{[\"'", value[0]) >= 0 {
		return false
	}
	next := content(body, nextLine(body, line+len(words)))
	column := indentation(body, next)
	after := body[next+column : lineEnd(body, next)]
	return column == o.Column && isDash(after) || column > 0 && keyEnd(after) > 0
}

// resumes reports whether what follows the list has another of such lists, or
// another document.
func resumes(body string, line int, keys []string) bool {
	for ; line < len(body); line = nextLine(body, lineEnd(body, line)) {
		words := strings.TrimLeft(body[line:lineEnd(body, line)], `"'`)
		if isDocumentMark(body, line) || slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(words, key) }) {
			return true
		}
	}
	return false
}
