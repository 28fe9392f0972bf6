package cli

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
)

// PutFault has the analysis of files panic where they refer to a file called fault,
// until the test ends.
func PutFault(t *testing.T) {
	was := analyse
	t.Cleanup(func() { analyse = was })
	analyse = func(in analysis.Input) *analysis.Analysis {
		find := in.ReadFile
		in.ReadFile = func(name string) (string, bool) {
			if strings.Contains(name, "fault") {
				panic("a fault that a test has put here")
			}
			return find(name)
		}
		return was(in)
	}
}

// Meanwhile does something after each file was read and before it is looked at.
func Meanwhile(t *testing.T, do func(path string)) {
	was := analyse
	t.Cleanup(func() { analyse = was })
	analyse = func(in analysis.Input) *analysis.Analysis {
		do(in.Path)
		return was(in)
	}
}

// OnTerminal is [Main] on streams that count as a terminal for questions.
func OnTerminal(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	answers := bufio.NewReader(stdin)
	ask := func(question string) bool { return askYesNo(answers, stderr, question) }
	return dispatch(&session{ctx: context.Background(), stdin: stdin, stdout: stdout, stderr: stderr, color: "auto", ask: ask}, args)
}

// WrapNotes wraps notes for a terminal.
var WrapNotes = wrapNotes
