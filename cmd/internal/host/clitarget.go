package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
)

// CommandTarget is a system under test that is a command line: a template whose
// placeholders {PROMPT}, {GUIDELINES}, {EVAL_ID}, {ATTEMPT}, {FILES} and
// {OUTPUT_FILE} are filled in, each quoted as one word (FILES: as one word per
// file). The answer is what the command prints, or, if the template names
// OUTPUT_FILE, what it writes there.
type CommandTarget struct {
	Template    string
	FilesFormat string // how one of FILES is written, with {path} in it; "{path}" by default
	Dir         string
	Timeout     time.Duration
}

// Request is what a command is told.
type Request struct {
	Prompt     string
	Guidelines string
	EvalID     string
	Attempt    int
	Files      []string
}

var placeholder = regexp.MustCompile(`\{([A-Z_]+)\}`)

// Answer runs the command. An error says how it ended and the last of what it
// said on its error stream.
func (t CommandTarget) Answer(ctx context.Context, req Request) (string, error) {
	line, output, err := t.fill(req)
	if err != nil {
		return "", err
	}
	if output != "" {
		defer os.Remove(output)
	}
	out := Run(ctx, Command{Argv: Shell(line), Dir: t.Dir, Timeout: t.Timeout})
	switch {
	case out.Err != nil:
		return "", out.Err
	case out.Exit == 126, out.Exit == 127: // what a shell says of a program that it cannot run
		return "", fmt.Errorf("the command %w%s", judge.ErrUnreachable, tail(out.Stderr))
	case out.Exit != 0:
		return "", fmt.Errorf("the command exited with status %d%s", out.Exit, tail(out.Stderr))
	case output == "":
		return strings.TrimRight(string(out.Stdout), "\r\n"), nil
	}
	answer, err := os.ReadFile(output)
	if err != nil {
		return "", errors.New("the command did not write its OUTPUT_FILE")
	}
	return strings.TrimRight(string(answer), "\r\n"), nil
}

// fill gives the command line, and the output file if the template has one.
func (t CommandTarget) fill(req Request) (line, output string, err error) {
	if strings.Contains(t.Template, "{OUTPUT_FILE}") {
		f, err := os.CreateTemp("", "rubric-answer-*.txt")
		if err != nil {
			return "", "", fmt.Errorf("make the output file: %w", err)
		}
		f.Close()
		output = f.Name()
		os.Remove(output) // so that an answer that was never written is told from an empty one
	}
	values := map[string]string{
		"PROMPT": quote(req.Prompt), "GUIDELINES": quote(req.Guidelines), "EVAL_ID": quote(req.EvalID),
		"ATTEMPT": strconv.Itoa(req.Attempt), "FILES": t.files(req.Files), "OUTPUT_FILE": quote(output),
	}
	line = placeholder.ReplaceAllStringFunc(t.Template, func(name string) string {
		value, known := values[name[1:len(name)-1]]
		if !known {
			err = fmt.Errorf("the command template has the unknown placeholder `%s`; there are {PROMPT}, {GUIDELINES}, {EVAL_ID}, {ATTEMPT}, {FILES} and {OUTPUT_FILE}", name)
		}
		return value
	})
	return line, output, err
}

func (t CommandTarget) files(paths []string) string {
	format := t.FilesFormat
	if format == "" {
		format = "{path}"
	}
	words := make([]string, len(paths))
	for i, path := range paths {
		words[i] = strings.ReplaceAll(format, "{path}", quote(path))
	}
	return strings.Join(words, " ")
}

// quote makes a text one word of the system's shell, whatever is in it.
func quote(word string) string {
	if runtime.GOOS == "windows" {
		return `"` + strings.NewReplacer(`"`, `""`, "%", "%%", "\n", " ", "\r", " ").Replace(word) + `"`
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(word, "\x00", ""), "'", `'\''`) + "'"
}

// tail is the end of an error stream, for an error message.
func tail(stderr []byte) string {
	text := strings.TrimSpace(string(stderr))
	if text == "" {
		return ""
	}
	const most = 2000
	if len(text) > most {
		text = "…" + text[len(text)-most:]
	}
	return ": " + text
}
