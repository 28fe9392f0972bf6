package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/text"
)

// maxWidth is the width of the excerpt of a long line, in terminal cells.
const maxWidth = 110

// maxContextBytes bounds the text on either side of a span that Render measures. maxWidth
// cells fit, even with several combining characters each.
const maxContextBytes = 1024

// ANSI colours.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	blue   = "1;34"
	cyan   = "36"
)

var severityColors = [...]string{Error: red, Warning: yellow, Info: blue, Hint: cyan}

// Renderer writes diagnostics for a terminal: the position, the message, the source line
// with the span underlined, and the notes and fixes.
type Renderer struct {
	Color bool // with ANSI colours
	// Wrap breaks a text that starts at column start into lines, the others indented. Nil breaks none.
	Wrap func(text string, start, indent int) string
}

// wrap returns sanitized text that starts after lead.
func (r Renderer) wrap(lead, text string, indent int) string {
	if text = sanitize(text); r.Wrap != nil {
		return r.Wrap(text, utf8.RuneCountInString(lead), indent)
	}
	return text
}

// Render writes one diagnostic of src to w.
func (r Renderer) Render(w io.Writer, src *text.Source, d Diagnostic) error {
	var b strings.Builder
	color := severityColors[d.Severity]
	position, severity, code := sanitize(FormatPosition(src, d.Span))+":", d.Severity.String()+":", "["+d.Code+"]"
	message, _ := strings.CutSuffix(r.wrap(position+" "+severity+" ", d.Message+" "+code, 2), code)
	words := strings.TrimRight(message, " \n")
	fmt.Fprintf(&b, "%s %s %s%s%s\n", r.colorize(bold, position), r.colorize(color, severity), r.colorize(bold, words), message[len(words):], r.colorize(dim, code))
	r.writeExcerpt(&b, src, d.Span, color)
	for _, n := range d.Notes {
		noteSource := n.SourceOr(src)
		fmt.Fprintf(&b, "  %s %s\n", r.colorize(cyan, "note:"), r.wrap("  note: ", FormatPosition(noteSource, n.Span)+": "+n.Message, 4))
		if n.Span != d.Span || noteSource != src { // else the excerpt is above
			r.writeExcerpt(&b, noteSource, n.Span, cyan)
		}
	}
	for _, f := range d.Fixes {
		fmt.Fprintf(&b, "  %s %s\n", r.colorize(green, "fix:"), r.wrap("  fix: ", f.Title, 4))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Renderer) colorize(color, s string) string { return Colorize(r.Color, color, s) }

// Colorize returns text in a terminal's color or style, as an ANSI code, or unchanged without colors.
func Colorize(colors bool, color, s string) string {
	if !colors || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// FormatPosition returns name:line:column of a span's start, one-based, with columns in
// characters.
func FormatPosition(src *text.Source, span text.Span) string {
	p := src.OffsetPosition(span.Start, text.UTF32)
	position := strconv.Itoa(p.Line+1) + ":" + strconv.Itoa(p.Character+1)
	if src.Name != "" {
		position = src.Name + ":" + position
	}
	return position
}

// writeExcerpt writes the first line of a span and underlines the span on it.
func (r Renderer) writeExcerpt(b *strings.Builder, src *text.Source, span text.Span, color string) {
	lineIndex := src.OffsetLine(span.Start)
	lineSpan := src.LineSpan(lineIndex)
	start := min(max(span.Start, lineSpan.Start), lineSpan.End)
	end := min(max(span.End, start), lineSpan.End)
	lead, marked, tail := cropLine(
		sanitize(src.Body[max(lineSpan.Start, start-maxContextBytes):start]),
		sanitize(src.Body[start:min(end, start+maxContextBytes)]),
		sanitize(src.Body[end:min(lineSpan.End, end+maxContextBytes)]))

	number := strconv.Itoa(lineIndex + 1)
	gutter := strings.Repeat(" ", max(4-len(number), 0)) + number
	underline := strings.Repeat("^", max(displayWidth(marked), 1))
	if last := src.OffsetLine(max(span.End-1, span.Start)); last > lineIndex {
		underline += fmt.Sprintf(" … to line %d", last+1)
	}
	fmt.Fprintf(b, "%s %s%s%s\n", r.colorize(dim, gutter+" |"), lead, r.colorize(color, marked), tail)
	fmt.Fprintf(b, "%s %s%s\n", r.colorize(dim, strings.Repeat(" ", len(gutter))+" |"), strings.Repeat(" ", displayWidth(lead)), r.colorize(color, underline))
}

// cropLine shortens a line to maxWidth cells around its marked part.
func cropLine(lead, marked, tail string) (string, string, string) {
	marked = truncate(marked, maxWidth)
	room := maxWidth - displayWidth(marked)
	if displayWidth(lead) > room/2 && displayWidth(lead)+displayWidth(tail) > room {
		runes := []rune(lead)
		count := min(room/2, len(runes))
		for displayWidth(string(runes[len(runes)-count:])) > room/2 {
			count--
		}
		lead = "…" + string(runes[len(runes)-count:])
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

// sanitize makes text safe and one line high. A tab becomes a space, so that underlines
// align on every terminal. Control characters become visible, so that a hostile file
// cannot move the cursor.
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

func displayWidth(s string) (width int) {
	for _, c := range s {
		width += runeWidth(c)
	}
	return width
}

// runeWidth is the width of a character on a terminal: two cells for wide scripts and
// emoji, none for combining characters.
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
