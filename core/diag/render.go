package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

// maxWidth is how much of a long line is drawn around a span.
const maxWidth = 110

// maxContextBytes is how much of a long line is looked at to either side: more than maxCells
// characters take, each with several that combine with it.
const maxContextBytes = 1024

// Renderer draws findings for people: the place, the sentence, the source line
// with the span marked, notes and fixes beneath.
type Renderer struct {
	Color bool // ANSI colours
}

// Render writes one finding of src to w.
func (r Renderer) Render(w io.Writer, src *text.Source, d Diagnostic) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s\n", r.colorize(bold, sanitize(FormatPosition(src, d.Span))+":"),
		r.colorize(severityColors[d.Severity], d.Severity.String()+":"), r.colorize(bold, sanitize(d.Message)), r.colorize(dim, "["+d.Code+"]"))
	r.writeExcerpt(&b, src, d.Span, severityColors[d.Severity])
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "  %s %s: %s\n", r.colorize(cyan, "note:"), sanitize(FormatPosition(n.SourceOr(src), n.Span)), sanitize(n.Message))
		if n.Span != d.Span || n.SourceOr(src) != src { // drawn already
			r.writeExcerpt(&b, n.SourceOr(src), n.Span, cyan)
		}
	}
	for _, f := range d.Fixes {
		fmt.Fprintf(&b, "  %s %s\n", r.colorize(green, "fix:"), sanitize(f.Title))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// FormatPosition is name:line:column, one-based, columns counted in characters.
func FormatPosition(src *text.Source, span text.Span) string {
	p := src.OffsetPosition(span.Start, text.UTF32)
	place := strconv.Itoa(p.Line+1) + ":" + strconv.Itoa(p.Character+1)
	if src.Name != "" {
		place = src.Name + ":" + place
	}
	return place
}

// writeExcerpt draws the span's first line and marks what of the span lies on it.
func (r Renderer) writeExcerpt(b *strings.Builder, src *text.Source, span text.Span, color string) {
	lineIndex := src.OffsetLine(span.Start)
	lineSpan := src.LineSpan(lineIndex)
	start := min(max(span.Start, lineSpan.Start), lineSpan.End)
	end := min(max(span.End, start), lineSpan.End)
	lead, marked, tail := src.Body[max(lineSpan.Start, start-maxContextBytes):start], src.Body[start:min(end, start+maxContextBytes)], src.Body[end:min(lineSpan.End, end+maxContextBytes)]
	lead, marked, tail = cropLine(sanitize(lead), sanitize(marked), sanitize(tail))

	number := strconv.Itoa(lineIndex + 1)
	gutter := strings.Repeat(" ", max(4-len(number), 0)) + number
	blank := strings.Repeat(" ", len(gutter))
	underline := strings.Repeat("^", max(displayWidth(marked), 1))
	if last := src.OffsetLine(max(span.End-1, span.Start)); last > lineIndex {
		underline += fmt.Sprintf(" … to line %d", last+1)
	}
	fmt.Fprintf(b, "%s %s%s%s\n", r.colorize(dim, gutter+" |"), lead, r.colorize(color, marked), tail)
	fmt.Fprintf(b, "%s %s%s\n", r.colorize(dim, blank+" |"), spaces(lead), r.colorize(color, underline))
}

// cropLine cuts a long line so that the marked part stays in sight.
func cropLine(lead, marked, tail string) (string, string, string) {
	marked = truncate(marked, maxWidth)
	room := maxWidth - displayWidth(marked)
	if displayWidth(lead) > room/2 && displayWidth(lead)+displayWidth(tail) > room {
		runes := []rune(lead)
		count := room / 2
		for count < len(runes) && displayWidth(string(runes[len(runes)-count:])) > room/2 {
			count--
		}
		lead = "…" + string(runes[len(runes)-min(count, len(runes)):])
	}
	return lead, marked, truncate(tail, max(room-displayWidth(lead), 0))
}

func truncate(s string, room int) string {
	used := 0
	for i, c := range s {
		used += runeWidth(c)
		if used > room {
			return s[:i] + "…"
		}
	}
	return s
}

// sanitize makes text safe and one line high: a tab becomes a space so that marks
// align on every terminal, and control characters become visible, so that a
// hostile file cannot move the cursor.
func sanitize(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case c == utf8.RuneError || c == '\n' || c == 0xfeff || text.IsDisplayControl(c):
			return '\uFFFD'
		}
		return c
	}, s)
}

func spaces(s string) string { return strings.Repeat(" ", displayWidth(s)) }

func displayWidth(s string) int {
	n := 0
	for _, c := range s {
		n += runeWidth(c)
	}
	return n
}

// runeWidth is a character's width on a terminal: two for the wide scripts and
// emoji, none for what combines with the character before it.
func runeWidth(c rune) int {
	switch {
	case 0x300 <= c && c <= 0x36f, c == 0x200b || c == 0x200d, 0xfe00 <= c && c <= 0xfe0f:
		return 0
	case 0x1100 <= c && c <= 0x115f, 0x2e80 <= c && c <= 0xa4cf, 0xac00 <= c && c <= 0xd7a3, 0xf900 <= c && c <= 0xfaff,
		0xfe30 <= c && c <= 0xfe6f, 0xff00 <= c && c <= 0xff60, 0xffe0 <= c && c <= 0xffe6, 0x1f300 <= c && c <= 0x1faff, 0x20000 <= c && c <= 0x3fffd:
		return 2
	}
	return 1
}
