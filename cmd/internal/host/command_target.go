package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
)

// CommandTarget is a system under test that is a command line: a template whose
// placeholders {PROMPT}, {GUIDELINES}, {EVAL_ID}, {ATTEMPT}, {FILES} and
// {OUTPUT_FILE} are filled in, each quoted as one word (FILES: as one word per
// file). The answer is what the command prints, or, if the template names
// OUTPUT_FILE, what it writes there.
type CommandTarget struct {
	Template    string
	FilesFormat string // how one of FILES is written, with {path} or {basename} in it; "{path}" by default
	Dir         string
	Timeout     time.Duration
	Env         []string // NAME=VALUE, besides the environment
	Keys        []string // that it is handed besides those of the environment: nothing tells them
}

// Request is what a command is told.
type Request struct {
	Prompt     string
	Guidelines string
	EvalID     string
	Attempt    int
	Files      []string
}

const placeholders = "{PROMPT}, {GUIDELINES}, {EVAL_ID}, {ATTEMPT}, {FILES} and {OUTPUT_FILE}"

var placeholder = pattern.New(`\{([A-Z_]+)\}`)

// Answer runs the command. An error names it, says how it ended and the last of
// what it said on its error stream. It wraps [judge.ErrUnreachable] when there
// is no such command, or no folder for it to run in.
func (t CommandTarget) Answer(ctx context.Context, req Request) (string, error) {
	dir, err := newAnswerDir()
	if err != nil {
		return "", err
	}
	defer dir.remove()
	line, err := t.expandTemplate(req, dir.path())
	if err != nil {
		return "", err
	}
	out := t.runLine(ctx, line)
	switch {
	case errors.Is(out.Err, errNotFound):
		return "", fmt.Errorf("`%s` %w: %w", t.program(), judge.ErrUnreachable, out.Err)
	case out.Exit == 126, out.Exit == 127: // what a shell says of a program that it cannot run
		return "", fmt.Errorf("`%s` %w%s", t.program(), judge.ErrUnreachable, stderrTail(out.Stderr))
	case out.Err != nil:
		return "", fmt.Errorf("`%s`: %w%s", t.program(), out.Err, stderrTail(out.Stderr))
	case out.Exit != 0:
		return "", fmt.Errorf("`%s` exited with status %d%s", t.program(), out.Exit, stderrTail(out.Stderr))
	case !strings.Contains(t.Template, "{OUTPUT_FILE}"):
		return trimNewlines(out.Stdout), nil
	}
	answer, err := dir.read()
	if err != nil {
		return "", fmt.Errorf("`%s` %w%s", t.program(), err, stderrTail(out.Stderr))
	}
	return newRedactor(t.Keys).Replace(trimNewlines(answer)), nil
}

// runLine runs a line that was filled in. Everybody on the machine may read the arguments of
// a program, and only its owner its environment: a line with a key in it goes by that.
func (t CommandTarget) runLine(ctx context.Context, line string) Output {
	c := Command{Argv: ShellArgv(line), Dir: t.Dir, Timeout: t.Timeout, Inherit: true, Env: t.Env, Keys: t.Keys}
	if runtime.GOOS != "windows" && newRedactor(t.Keys).Replace(line) != line {
		c.Argv, c.Env = ShellArgv(`eval "unset RUBRIC_LINE; $RUBRIC_LINE"`), append(slices.Clip(t.Env), "RUBRIC_LINE="+line)
	}
	return RunCommand(ctx, c)
}

// program is what a message calls the command: its program. The rest may hold keys
// that came from the environment.
func (t CommandTarget) program() string {
	for word := range strings.FieldsSeq(t.Template) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return "the command"
}

// Check tells a template that is empty or cannot be filled in.
func (t CommandTarget) Check() error {
	if strings.TrimSpace(t.Template) == "" {
		return errors.New("there is no command")
	}
	_, err := t.expandTemplate(Request{}, "")
	return err
}

// expandTemplate gives the command line. It refuses a template that could run what is filled in.
func (t CommandTarget) expandTemplate(req Request, output string) (line string, err error) {
	for _, command := range []string{t.Template, t.FilesFormat} {
		if m, found := agentv.FindMisquoted(command); found {
			return "", fmt.Errorf("in the command, `%s` is %s, where its text could run as commands; %s", m.Name, m.Context, m.Advice())
		}
	}
	values := map[string]string{
		"PROMPT": shellQuote(req.Prompt), "GUIDELINES": shellQuote(req.Guidelines), "EVAL_ID": shellQuote(req.EvalID),
		"ATTEMPT": strconv.Itoa(req.Attempt), "FILES": t.expandFiles(req.Files), "OUTPUT_FILE": shellQuote(output),
	}
	line = placeholder().ReplaceAllStringFunc(t.Template, func(name string) string {
		value, known := values[name[1:len(name)-1]]
		if !known {
			err = fmt.Errorf("the command template has the unknown placeholder `%s`; there are %s", name, placeholders)
		}
		return value
	})
	return line, err
}

func (t CommandTarget) expandFiles(paths []string) string {
	format := t.FilesFormat
	if format == "" {
		format = "{path}"
	}
	words := make([]string, len(paths))
	for i, path := range paths {
		words[i] = strings.NewReplacer("{path}", shellQuote(path), "{basename}", shellQuote(filepath.Base(path))).Replace(format)
	}
	return strings.Join(words, " ")
}

// shellQuote makes a text one word of the system's shell, whatever is in it.
func shellQuote(word string) string {
	if runtime.GOOS == "windows" {
		return `"` + strings.NewReplacer(`"`, `""`, "%", "%%", "\n", " ", "\r", " ").Replace(word) + `"`
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(word, "\x00", ""), "'", `'\''`) + "'"
}

func trimNewlines(answer []byte) string { return strings.TrimRight(string(answer), "\r\n") }

// stderrTail is the end of an error stream, for an error message.
func stderrTail(stderr []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(stderr), "\uFFFD"))
	if text == "" {
		return ""
	}
	const most = 2000
	if runes := []rune(text); len(runes) > most {
		text = "…" + string(runes[len(runes)-most:])
	}
	return ": " + text
}
