package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// line is what one line of a broken text looks like by itself.
type line struct {
	span   text.Span // without the break
	indent int
	dashes int // offset behind the last leading dash; indent if there is none
	first  int // offset behind the first leading dash; dashes if there is at most one
	value  int // offset behind `key:`, 0 if there is no key
}

func lineAt(body string, start int) line {
	l := line{span: text.Span{Start: start, End: lineEnd(body, start)}}
	l.indent = start + indentation(body, start)
	l.dashes = l.indent
	for l.dashes < l.span.End && isDash(body[l.dashes:l.span.End]) {
		if l.first == 0 {
			l.first = l.dashes + 1
		}
		l.dashes = min(skipBlanks(body, l.dashes+1), l.span.End)
	}
	if l.first == 0 {
		l.first = l.dashes
	}
	if n := keyEnd(body[l.dashes:l.span.End]); n > 0 {
		l.value = l.dashes + n
	}
	return l
}

// cutsOf is the ways to leave out the line that starts at start, the least
// harmful first. A dash goes last, so that items do not run together, and never
// if the text starts with it; a key stays if nothing below could then be taken
// for its value.
func (r *rescue) cutsOf(start int) []text.Span {
	l := lineAt(r.body, start)
	var cuts []text.Span
	most := text.Span{Start: l.dashes, End: l.span.End}
	if l.dashes == l.indent {
		most = l.span
	}
	cuts = append(cuts, most)
	if l.value > 0 && strings.TrimSpace(r.body[l.value:l.span.End]) != "" {
		value := text.Span{Start: l.value, End: l.span.End}
		if r.standsAlone(l) {
			cuts = []text.Span{value, most}
		} else {
			cuts = append(cuts, value)
		}
	}
	if l.first < l.dashes {
		cuts = append(cuts, text.Span{Start: l.first, End: l.span.End})
	}
	if l.dashes > l.indent && start > 0 {
		cuts = append(cuts, l.span)
	}
	return cuts
}

// standsAlone reports whether the next line that holds something cannot belong
// to the value of l's key.
func (r *rescue) standsAlone(l line) bool {
	key := l.dashes - l.span.Start
	rest := r.body[nextLine(r.body, l.span.End):]
	at := contentLine(rest)
	if at == len(rest) {
		rest = r.after
		at = contentLine(rest)
	}
	if at == len(rest) {
		return true
	}
	column := indentation(rest, at)
	return column < key || column == key && !isDash(rest[at+column:lineEnd(rest, at)])
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

// keepDash is span without the dashes of its first line.
func (r *rescue) keepDash(span text.Span) text.Span {
	if l := lineAt(r.body, span.Start); l.dashes > l.indent && l.dashes <= span.End {
		span.Start = l.dashes
	}
	return span
}

func (r *rescue) keepFirstDash(span text.Span) text.Span {
	if l := lineAt(r.body, span.Start); l.dashes > l.indent {
		span.Start = min(l.first, span.End)
	}
	return span
}

// isUnclosed reports whether the value on the line that starts at start opens
// a quote or bracket and does not close it before the line's end.
func isUnclosed(body string, start int) bool {
	return unclosed(body, start) >= 0
}

// opensMore reports whether any line of body opens what it does not close.
func opensMore(body string) bool {
	for line := 0; line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if isUnclosed(body, line) {
			return true
		}
	}
	return false
}

// isClosedBelow reports whether the next line that is no deeper than the one
// that starts at start begins with a closing bracket: by the looks of it, what
// the line opens is closed there.
func isClosedBelow(body string, start int) bool {
	column := indentation(body, start)
	for line := nextLine(body, lineEnd(body, start)); line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if spaces := indentation(body, line); spaces <= column && !isBlankLine(body, line) {
			return body[line+spaces] == ']' || body[line+spaces] == '}'
		}
	}
	return false
}

// unclosed is the offset of the quote or bracket that the line does not close,
// or -1.
func unclosed(body string, start int) int {
	l := lineAt(body, start)
	from := l.dashes
	if l.value > 0 {
		from = min(skipBlanks(body, l.value), l.span.End)
	}
	if from == l.span.End {
		return -1
	}
	var open []int
	words := body[:l.span.End]
	for at := from; at < l.span.End; {
		opens := len(open) > 0 || at == from
		switch c := words[at]; {
		case c == '"' && opens && startsToken(words, at, from):
			end := doubleQuotedEnd(words, at)
			if end == len(words) && (end-1 == at || words[end-1] != '"' || escapedEnd(words, at)) {
				return at
			}
			at = end
		case c == '\'' && opens && startsToken(words, at, from):
			end := singleQuotedEnd(words, at)
			if end == len(words) && (end-1 == at || words[end-1] != '\'' || strings.Count(words[at:], "'")%2 == 1) {
				return at
			}
			at = end
		case (c == '[' || c == '{') && opens:
			open = append(open, at)
			at++
		case (c == ']' || c == '}') && len(open) > 0:
			open = open[:len(open)-1]
			at++
		default:
			at++
		}
	}
	if len(open) > 0 {
		return open[0]
	}
	return -1
}

// startsToken tells a quote that opens from an apostrophe inside a word.
func startsToken(words string, at, from int) bool {
	return at == from || strings.IndexByte(" \t\r\n,:[]{}", words[at-1]) >= 0
}

// escapedEnd reports whether the quote that ends words is itself escaped.
func escapedEnd(words string, from int) bool {
	slashes := 0
	for i := len(words) - 2; i > from && words[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 1
}
