package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// An output is standard output or standard error. Files, models and commands may contain
// characters that control a terminal. An output writes them as JSON escapes such as
// \u001b, in every format; JSON keeps its meaning.
type output struct {
	stream      io.Writer
	allowColors bool // pass our own colours; see useColor
	noteWidth   int  // columns to wrap notes to; 0 for no limit

	mu      sync.Mutex
	pending []byte // start of a character or colour that the next write completes
}

// colorSequence matches the prefix of a colour sequence that this program writes.
var colorSequence = pattern.New(`^\x1b(?:\[(?:[02]|(?:1;?)?(?:3[1-6]?)?))?(m?)`)

// Write writes p with control characters escaped.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if wrapped := wrapNotes(p, o.noteWidth); len(wrapped) != len(p) {
		safe, _ := o.escape(wrapped, true)
		_, err := o.stream.Write(safe)
		return len(p), err
	}
	if len(o.pending) == 0 && !bytes.ContainsFunc(p, func(r rune) bool { return r == utf8.RuneError || text.IsDisplayControl(r) }) {
		return o.stream.Write(p)
	}
	safe, pending := o.escape(append(o.pending, p...), false)
	o.pending = pending
	if _, err := o.stream.Write(safe); err != nil {
		return 0, err
	}
	return len(p), nil
}

// wrapNotes wraps the lines of p that begin with the program's name.
func wrapNotes(p []byte, width int) []byte {
	if width == 0 || !bytes.HasPrefix(p, []byte("rubric: ")) {
		return p
	}
	var out []byte
	for line := range bytes.Lines(p) {
		text, end := bytes.CutSuffix(line, []byte("\n"))
		if bytes.HasPrefix(text, []byte("rubric: ")) {
			text = []byte(report.Wrap(string(text), 0, 2, width))
		}
		out = append(out, text...)
		if end {
			out = append(out, '\n')
		}
	}
	return out
}

// renderer returns a renderer of diagnostics for a stream.
func (s *session) renderer(w io.Writer) diag.Renderer {
	width := s.width(w)
	wrap := func(text string, start, indent int) string { return report.Wrap(text, start, indent, width) }
	return diag.Renderer{Color: s.useColor(w), Wrap: wrap}
}

// flush writes an incomplete character or sequence that Write has held back.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.pending) > 0 {
		safe, _ := o.escape(o.pending, true)
		_, _ = o.stream.Write(safe) // the program ends; there is nowhere to report an error
		o.pending = nil
	}
}

// escape returns the bytes that can be written, and the rest that needs more input. At
// the end nothing is held back.
func (o *output) escape(p []byte, atEnd bool) (safe, pending []byte) {
	for len(p) > 0 {
		size := 1
		switch c := p[0]; {
		case !atEnd && (!utf8.FullRune(p) || c == '\r' && len(p) == 1):
			return safe, p
		case c == '\r' && len(p) > 1 && p[1] == '\n':
			safe = append(safe, c)
		default:
			if c == '\x1b' && o.allowColors {
				match := colorSequence().FindSubmatch(p)
				size = len(match[0])
				if len(match[1]) > 0 {
					safe = append(safe, match[0]...)
					break
				}
				if !atEnd && size == len(p) {
					return safe, p
				}
			}
			var r rune
			r, size = utf8.DecodeRune(p)
			if text.IsDisplayControl(r) {
				safe = fmt.Appendf(safe, `\u%04x`, r)
			} else {
				safe = utf8.AppendRune(safe, r)
			}
		}
		p = p[size:]
	}
	return safe, nil
}

// rawWriter returns the stream behind an output. Protocols, documents that go to a file,
// and lines that redraw themselves use it.
func rawWriter(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.stream
	}
	return w
}

// documentWriter returns the stream for a whole document in a foreign format. The
// document is escaped only on a terminal.
func (s *session) documentWriter() io.Writer {
	if isTerminal(s.stdout) {
		return s.stdout
	}
	return rawWriter(s.stdout)
}

// resultFormats are the formats of commands that compare or count.
var resultFormats = []string{"text", "json", "markdown", "github", "junit"}

// printResult prints the result of such a command: value as JSON, and else its summary.
func (s *session) printResult(format string, value any, summary report.Summary) error {
	switch write := report.SummaryFormats()[format]; {
	case write != nil:
		return write(summary, s.documentWriter())
	case format == "json":
		return report.WriteJSON(s.stdout, value)
	}
	return summary.Text(s.stdout, s.textStyle(report.AllCases))
}

// printAs prints a value as JSON, or else a text.
func (s *session) printAs(format string, value any, text string) error {
	if format == "json" {
		return report.WriteJSON(s.stdout, value)
	}
	return s.printText(text)
}

func isTerminal(stream any) bool {
	if o, ok := stream.(*output); ok {
		stream = o.stream
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// useColor reports whether to colour the output to w, and lets w pass colours. --color
// overrides NO_COLOR (https://no-color.org), which overrides FORCE_COLOR and CLICOLOR_FORCE
// (https://bixense.com/clicolors), which override the terminal.
func (s *session) useColor(w io.Writer) bool {
	forced := func(name string) bool { value := os.Getenv(name); return value != "" && value != "0" }
	colors := s.color == "always" || s.color != "never" && os.Getenv("NO_COLOR") == "" &&
		(forced("FORCE_COLOR") || forced("CLICOLOR_FORCE") || os.Getenv("TERM") != "dumb" && isTerminal(w))
	if o, ok := w.(*output); ok {
		o.allowColors = colors
	}
	return colors
}

// width returns the number of columns of w: those of its terminal or, where colours are forced as in
// the log of a CI job, those of COLUMNS. 0 means that lines have no limit.
func (s *session) width(w io.Writer) int {
	if f, ok := rawWriter(w).(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && s.useColor(w) {
		return max(columns, 0)
	}
	return 0
}

// wrapLines breaks the lines of a text that are wider than width, and indents what follows two
// columns more than the line.
func wrapLines(text string, width int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		out.WriteString(line[:indent] + report.Wrap(strings.TrimSuffix(words, "\n"), indent, indent+2, width) + "\n")
	}
	return out.String()
}
