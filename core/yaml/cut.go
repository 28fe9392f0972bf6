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

// keepDash is span without the dashes of its first line.
func (r *rescue) keepDash(span text.Span) text.Span {
	if l := lineAt(r.body, span.Start); l.dashes > l.indent && l.dashes <= span.End {
		span.Start = l.dashes
	}
	return span
}

// keepFirstDash is span without the first dash of its first line.
func (r *rescue) keepFirstDash(span text.Span) text.Span {
	if l := lineAt(r.body, span.Start); l.dashes > l.indent {
		span.Start = min(l.first, span.End)
	}
	return span
}
