package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

// maxCells is how much of a long line is drawn around a span.
const maxCells = 110

// maxBytes is how much of a long line is looked at to either side: more than maxCells
// characters take, each with several that combine with it.
const maxBytes = 1024

// Renderer draws findings for people: the place, the sentence, the source line
// with the span marked, notes and fixes beneath.
type Renderer struct {
	Color bool // ANSI colours
}

// Render writes one finding of src to w.
func (r Renderer) Render(w io.Writer, src *text.Source, d Diagnostic) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s\n", r.paint(bold, clean(Place(src, d.Span))+":"),
		r.paint(severityColor[d.Severity], d.Severity.String()+":"), r.paint(bold, clean(d.Message)), r.paint(dim, "["+d.Code+"]"))
	r.excerpt(&b, src, d.Span, severityColor[d.Severity])
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "  %s %s: %s\n", r.paint(cyan, "note:"), clean(Place(n.In(src), n.Span)), clean(n.Message))
		if n.Span != d.Span || n.In(src) != src { // drawn already
			r.excerpt(&b, n.In(src), n.Span, cyan)
		}
	}
	for _, f := range d.Fixes {
		fmt.Fprintf(&b, "  %s %s\n", r.paint(green, "fix:"), clean(f.Title))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Place is name:line:column, one-based, columns counted in characters.
func Place(src *text.Source, span text.Span) string {
	p := src.OffsetPosition(span.Start, text.UTF32)
	place := strconv.Itoa(p.Line+1) + ":" + strconv.Itoa(p.Character+1)
	if src.Name != "" {
		place = src.Name + ":" + place
	}
	return place
}

// excerpt draws the span's first line and marks what of the span lies on it.
func (r Renderer) excerpt(b *strings.Builder, src *text.Source, span text.Span, color string) {
	at := src.OffsetLine(span.Start)
	line := src.LineSpan(at)
	start := min(max(span.Start, line.Start), line.End)
	end := min(max(span.End, start), line.End)
	lead, marked, tail := src.Body[max(line.Start, start-maxBytes):start], src.Body[start:min(end, start+maxBytes)], src.Body[end:min(line.End, end+maxBytes)]
	lead, marked, tail = window(clean(lead), clean(marked), clean(tail))

	number := strconv.Itoa(at + 1)
	gutter := strings.Repeat(" ", max(4-len(number), 0)) + number
	blank := strings.Repeat(" ", len(gutter))
	mark := strings.Repeat("^", max(cells(marked), 1))
	if last := src.OffsetLine(max(span.End-1, span.Start)); last > at {
		mark += fmt.Sprintf(" … to line %d", last+1)
	}
	fmt.Fprintf(b, "%s %s%s%s\n", r.paint(dim, gutter+" |"), lead, r.paint(color, marked), tail)
	fmt.Fprintf(b, "%s %s%s\n", r.paint(dim, blank+" |"), padding(lead), r.paint(color, mark))
}

// window cuts a long line so that the marked part stays in sight.
func window(lead, marked, tail string) (string, string, string) {
	marked = head(marked, maxCells)
	room := maxCells - cells(marked)
	if cells(lead) > room/2 && cells(lead)+cells(tail) > room {
		runes := []rune(lead)
		keep := room / 2
		for keep < len(runes) && cells(string(runes[len(runes)-keep:])) > room/2 {
			keep--
		}
		lead = "…" + string(runes[len(runes)-min(keep, len(runes)):])
	}
	return lead, marked, head(tail, max(room-cells(lead), 0))
}

func head(s string, room int) string {
	used := 0
	for i, c := range s {
		used += runeCells(c)
		if used > room {
			return s[:i] + "…"
		}
	}
	return s
}

// clean makes text safe and one line high: a tab becomes a space so that marks
// align on every terminal, and control characters become visible, so that a
// hostile file cannot move the cursor.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case c == utf8.RuneError || c == '\n' || c == 0xfeff || text.IsSteering(c):
			return '\uFFFD'
		}
		return c
	}, s)
}

func padding(s string) string { return strings.Repeat(" ", cells(s)) }

func cells(s string) int {
	n := 0
	for _, c := range s {
		n += runeCells(c)
	}
	return n
}

// runeCells is a character's width on a terminal: two for the wide scripts and
// emoji, none for what combines with the character before it.
func runeCells(c rune) int {
	switch {
	case 0x300 <= c && c <= 0x36f, c == 0x200b || c == 0x200d, 0xfe00 <= c && c <= 0xfe0f:
		return 0
	case 0x1100 <= c && c <= 0x115f, 0x2e80 <= c && c <= 0xa4cf, 0xac00 <= c && c <= 0xd7a3, 0xf900 <= c && c <= 0xfaff,
		0xfe30 <= c && c <= 0xfe6f, 0xff00 <= c && c <= 0xff60, 0xffe0 <= c && c <= 0xffe6, 0x1f300 <= c && c <= 0x1faff, 0x20000 <= c && c <= 0x3fffd:
		return 2
	}
	return 1
}
