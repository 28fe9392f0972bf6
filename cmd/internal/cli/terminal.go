package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether people look at the stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored decides whether to colour what goes to w. An explicit --color wins
// over NO_COLOR (https://no-color.org), which wins over the terminal.
func (s *session) colored(w io.Writer) bool {
	switch s.color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// width is how many columns w has; 0 where nobody looks.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
