package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether people look at the stream.
func isTerminal(stream any) bool {
	if o, ok := stream.(*output); ok {
		stream = o.stream
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// useColor decides whether to colour what goes to w, and lets w pass colours then. An
// explicit --color wins over NO_COLOR (https://no-color.org), which wins over the terminal.
func (s *session) useColor(w io.Writer) bool {
	colors := s.color == "always" ||
		s.color != "never" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
	if o, ok := w.(*output); ok {
		o.allowColors = colors
	}
	return colors
}

// terminalWidth is how many columns w has; 0 where nobody looks.
func terminalWidth(w io.Writer) int {
	if f, ok := rawWriter(w).(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
