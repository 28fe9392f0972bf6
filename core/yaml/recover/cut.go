package recover

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// A lineLayout is the layout of one line of a broken text. All positions are offsets into the text.
type lineLayout struct {
	span         text.Span // without the line break
	indentEnd    int       // end of the indentation
	dashesEnd    int       // end of the leading dashes; indentEnd without any
	firstDashEnd int       // end of the first leading dash; dashesEnd with at most one dash
	valueStart   int       // end of `key:`, 0 without a key
}

func layoutOfLine(body string, start int) lineLayout {
	l := lineLayout{span: text.Span{Start: start, End: lines.End(body, start)}}
	l.indentEnd = start + lines.Indentation(body, start)
	l.dashesEnd = l.indentEnd
	for l.dashesEnd < l.span.End && lines.IsDash(body[l.dashesEnd:l.span.End]) {
		l.firstDashEnd = cmp.Or(l.firstDashEnd, l.dashesEnd+1)
		l.dashesEnd = min(lines.SkipBlanks(body, l.dashesEnd+1), l.span.End)
	}
	l.firstDashEnd = cmp.Or(l.firstDashEnd, l.dashesEnd)
	if n := lines.KeyLength(body[l.dashesEnd:l.span.End]); n > 0 {
		l.valueStart = l.dashesEnd + n
	}
	return l
}

// lineCuts returns the ways to leave out the line at start, the least harmful first. Cuts that
// remove the dash come last, because the items around it then run together. A dash at the start of
// the text is never removed. The key stays if no line below could be mistaken for its value.
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

// hasNoValueBelow reports whether the next line with content cannot belong to the value of l's key.
func (r *recovery) hasNoValueBelow(l lineLayout) bool {
	key := l.dashesEnd - l.span.Start
	rest := r.body[lines.Next(r.body, l.span.End):]
	pos := lines.ContentLine(rest)
	if pos == len(rest) {
		return true
	}
	column := lines.Indentation(rest, pos)
	return column < key || column == key && !lines.IsDash(rest[pos+column:lines.End(rest, pos)])
}

func (r *recovery) afterDashes(span text.Span) text.Span {
	if l := layoutOfLine(r.body, span.Start); l.dashesEnd > l.indentEnd && l.dashesEnd <= span.End {
		span.Start = l.dashesEnd
	}
	return span
}

// afterFirstDash returns span without the first leading dash of its first line.
func (r *recovery) afterFirstDash(span text.Span) text.Span {
	if l := layoutOfLine(r.body, span.Start); l.dashesEnd > l.indentEnd {
		span.Start = min(l.firstDashEnd, span.End)
	}
	return span
}

// blankOut replaces the spans of body with white space of the same length. A fully blanked line
// becomes a comment: spaces alone would be content of a block scalar above it.
func blankOut(body string, spans ...text.Span) string {
	if len(spans) == 0 {
		return body
	}
	out := []byte(body)
	for _, span := range spans {
		for pos := span.Start; pos < span.End; {
			end := min(lines.End(body, pos), span.End)
			whole := lines.IsBlankLine(body[:pos], lines.Start(body, pos))
			for ; pos < end; pos++ {
				if whole && !lines.IsBlank(out[pos]) {
					out[pos], whole = '#', false
				} else {
					out[pos] = ' '
				}
			}
			for pos < span.End && lines.IsBreak(body[pos]) {
				pos++
			}
		}
	}
	return string(out)
}

func trimSpan(body string, span text.Span) text.Span {
	lost := strings.TrimLeft(body[span.Start:span.End], " \t\r\n")
	span.Start = span.End - len(lost)
	span.End = span.Start + len(strings.TrimRight(lost, " \t\r\n"))
	return span
}

// cutConflictMarkers leaves out the marker lines of unresolved merge conflicts.
func (r *recovery) cutConflictMarkers(fail *Failure) bool {
	var markers []text.Span
	for line := 0; line < len(r.body); line = lines.Next(r.body, lines.End(r.body, line)) {
		end := lines.End(r.body, line)
		if isConflictMarker(r.body[line:end]) {
			markers = append(markers, text.Span{Start: line, End: end})
		}
	}
	r.cut(fail, markers...)
	return len(markers) > 0
}

func isConflictMarker(line string) bool {
	mark, _, _ := strings.Cut(line, " ")
	return slices.Contains([]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}, mark)
}

// DashBefore returns the offset of the dash before the item at pos, -1 without one.
func DashBefore(body string, pos int) int {
	l := layoutOfLine(body, lines.Start(body, pos))
	if l.dashesEnd != pos || l.dashesEnd == l.indentEnd {
		return -1
	}
	return strings.LastIndexByte(body[:pos], '-')
}

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
