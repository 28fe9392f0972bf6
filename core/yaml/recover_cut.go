package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// lineLayout is what one line of a broken text looks like by itself.
type lineLayout struct {
	span         text.Span // without the break
	indentEnd    int
	dashesEnd    int // offset behind the last leading dash; indent if there is none
	firstDashEnd int // offset behind the first leading dash; dashes if there is at most one
	valueStart   int // offset behind `key:`, 0 if there is no key
}

func layoutOfLine(body string, start int) lineLayout {
	l := lineLayout{span: text.Span{Start: start, End: lineEnd(body, start)}}
	l.indentEnd = start + indentation(body, start)
	l.dashesEnd = l.indentEnd
	for l.dashesEnd < l.span.End && isDash(body[l.dashesEnd:l.span.End]) {
		if l.firstDashEnd == 0 {
			l.firstDashEnd = l.dashesEnd + 1
		}
		l.dashesEnd = min(skipBlanks(body, l.dashesEnd+1), l.span.End)
	}
	if l.firstDashEnd == 0 {
		l.firstDashEnd = l.dashesEnd
	}
	if n := keyLength(body[l.dashesEnd:l.span.End]); n > 0 {
		l.valueStart = l.dashesEnd + n
	}
	return l
}

// lineCuts is the ways to leave out the line that starts at start, the least
// harmful first. A dash goes last, so that items do not run together, and never
// if the text starts with it; a key stays if nothing below could then be taken
// for its value.
func (r *recovery) lineCuts(start int) []text.Span {
	l := layoutOfLine(r.body, start)
	var cuts []text.Span
	most := text.Span{Start: l.dashesEnd, End: l.span.End}
	if l.dashesEnd == l.indentEnd {
		most = l.span
	}
	cuts = append(cuts, most)
	if l.valueStart > 0 && strings.TrimSpace(r.body[l.valueStart:l.span.End]) != "" {
		value := text.Span{Start: l.valueStart, End: l.span.End}
		if r.hasNoValueBelow(l) {
			cuts = []text.Span{value, most}
		} else {
			cuts = append(cuts, value)
		}
	}
	if l.firstDashEnd < l.dashesEnd {
		cuts = append(cuts, text.Span{Start: l.firstDashEnd, End: l.span.End})
	}
	if l.dashesEnd > l.indentEnd && start > 0 {
		cuts = append(cuts, l.span)
	}
	return cuts
}

// hasNoValueBelow reports whether the next line that holds something cannot belong
// to the value of l's key.
func (r *recovery) hasNoValueBelow(l lineLayout) bool {
	key := l.dashesEnd - l.span.Start
	rest := r.body[nextLine(r.body, l.span.End):]
	pos := contentLine(rest)
	if pos == len(rest) {
		rest = r.after
		pos = contentLine(rest)
	}
	if pos == len(rest) {
		return true
	}
	column := indentation(rest, pos)
	return column < key || column == key && !isDash(rest[pos+column:lineEnd(rest, pos)])
}

// afterDashes is span without the dashes of its first line.
func (r *recovery) afterDashes(span text.Span) text.Span {
	if l := layoutOfLine(r.body, span.Start); l.dashesEnd > l.indentEnd && l.dashesEnd <= span.End {
		span.Start = l.dashesEnd
	}
	return span
}

// afterFirstDash is span without the first dash of its first line.
func (r *recovery) afterFirstDash(span text.Span) text.Span {
	if l := layoutOfLine(r.body, span.Start); l.dashesEnd > l.indentEnd {
		span.Start = min(l.firstDashEnd, span.End)
	}
	return span
}
