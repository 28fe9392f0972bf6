package targets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// CommandTarget is a target that runs a command line. The placeholders of its template, which
// [agentv.Placeholders] lists, are replaced, each quoted as one word (FILES: one word per file).
// The answer is what the command prints or, if the template names OUTPUT_FILE, what it writes
// there.
type CommandTarget struct {
	Template    string
	FilesFormat string // form of one of FILES, with {path} or {basename}; "{path}" by default
	Dir         string
	Timeout     time.Duration
	Env         []string // NAME=VALUE, in addition to the environment
	Keys        []string // secrets to redact, in addition to those of the environment

	read func(output string) (grade.Submission, error) // nil for [parseSubmission]
}

// Request holds the values of a command's placeholders.
type Request struct {
	Prompt     string
	Messages   []rubric.Message
	Guidelines string
	EvalID     string
	Files      []string
}

// Answer runs the command. An error names the program, and says how it ended with the end of its
// standard error. It wraps [judge.ErrUnreachable] if there is no such program, or no directory to
// run it in.
func (t CommandTarget) Answer(ctx context.Context, req Request) (string, error) {
	dir, err := newAnswerDir()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	command, err := t.newCommand(req, dir)
	if err != nil {
		return "", err
	}
	out, err := process.Run(ctx, command)
	switch {
	case errors.Is(err, process.ErrNotFound):
		return "", fmt.Errorf("`%s` %w: %w", t.program(), judge.ErrUnreachable, err)
	case out.Code == 126, out.Code == 127: // a shell's status for a program that it cannot run
		return "", fmt.Errorf("`%s` %w%s", t.program(), judge.ErrUnreachable, stderrTail(out.Stderr))
	case err != nil:
		return "", fmt.Errorf("`%s`: %w%s", t.program(), err, stderrTail(out.Stderr))
	case out.Code != 0:
		return "", fmt.Errorf("`%s` exited with status %d%s", t.program(), out.Code, stderrTail(out.Stderr))
	case !strings.Contains(t.Template, "{OUTPUT_FILE}"):
		return trimNewlines(out.Stdout), nil
	}
	answer, err := readAnswer(filepath.Join(dir, answerFile))
	if err != nil {
		return "", fmt.Errorf("`%s` %w%s", t.program(), err, stderrTail(out.Stderr))
	}
	return process.NewRedactor(t.Keys).Replace(trimNewlines(answer)), nil
}

// newCommand returns the command, with dir for the files that its template names. Every user of the machine can
// read a program's arguments, but only its owner can read its environment. So a line with a key is
// passed in the environment.
func (t CommandTarget) newCommand(req Request, dir string) (c process.Command, err error) {
	line, err := t.expandTemplate(req, dir)
	if err == nil {
		err = t.writeFiles(req, dir)
	}
	if err != nil {
		return c, err
	}
	c = process.Command{Argv: process.ShellArgv(line), Dir: t.Dir, Timeout: t.Timeout, Inherit: true, Env: t.Env, Keys: t.Keys}
	if runtime.GOOS != "windows" && process.NewRedactor(t.Keys).Replace(line) != line {
		c.Argv, c.Env = process.ShellArgv(`eval "unset RUBRIC_LINE; $RUBRIC_LINE"`), append(slices.Clip(t.Env), "RUBRIC_LINE="+line)
	}
	return c, nil
}

// program returns the command's program, for messages. The rest of the line may hold keys from
// the environment.
func (t CommandTarget) program() string {
	for word := range strings.FieldsSeq(t.Template) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return "the command"
}

// Check returns an error for a template that is empty or cannot be expanded.
func (t CommandTarget) Check() error {
	if strings.TrimSpace(t.Template) == "" {
		return errors.New("there is no command")
	}
	_, err := t.expandTemplate(Request{}, "")
	return err
}

// expandTemplate returns the command line. It refuses a template that could execute the text of a
// placeholder.
func (t CommandTarget) expandTemplate(req Request, dir string) (line string, err error) {
	for _, command := range []string{t.Template, t.FilesFormat} {
		if m, found := agentv.FindMisquoted(command); found {
			return "", fmt.Errorf("in the command, `%s` is %s, where its text could run as commands; %s", m.Name, m.Context, m.Advice())
		}
	}
	file := func(name string) string { return shellQuote(filepath.Join(dir, name)) }
	values := map[string]string{
		"PROMPT": shellQuote(req.Prompt), "PROMPT_FILE": file(promptFile), "MESSAGES_FILE": file(messagesFile),
		"GUIDELINES": shellQuote(req.Guidelines), "EVAL_ID": shellQuote(req.EvalID),
		"ATTEMPT": "0", "FILES": t.expandFiles(req.Files), "OUTPUT_FILE": file(answerFile),
	}
	if name := agentv.UnknownPlaceholder(t.Template); name != "" {
		names := generic.Map(agentv.Placeholders, func(n string) string { return "{" + n + "}" })
		return "", fmt.Errorf("the command template has the unknown placeholder `%s`; there are %s", name, diag.JoinList(names, "and"))
	}
	return agentv.Placeholder().ReplaceAllStringFunc(t.Template, func(name string) string { return values[name[1:len(name)-1]] }), nil
}

func (t CommandTarget) expandFiles(paths []string) string {
	format := cmp.Or(t.FilesFormat, "{path}")
	return strings.Join(generic.Map(paths, func(path string) string {
		return strings.NewReplacer("{path}", shellQuote(path), "{basename}", shellQuote(filepath.Base(path))).Replace(format)
	}), " ")
}

// shellQuote quotes any text as one word of the system's shell.
func shellQuote(word string) string {
	if runtime.GOOS == "windows" {
		return `"` + strings.NewReplacer(`"`, `""`, "%", "%%", "\n", " ", "\r", " ").Replace(word) + `"`
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(word, "\x00", ""), "'", `'\''`) + "'"
}

func trimNewlines(answer []byte) string { return strings.TrimRight(string(answer), "\r\n") }

// stderrTail returns the end of standard error as the end of an error message.
func stderrTail(stderr []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(stderr), "\uFFFD"))
	if text == "" {
		return ""
	}
	return ": " + grade.TruncateStart(text)
}

// batchTarget returns a target for a command that answers all cases at once. As in the reference
// implementation, the command runs once, without a prompt, and prints a line of JSON for each
// case, with its `id`.
func batchTarget(command CommandTarget) run.Target {
	var once sync.Once
	lines, repeated := map[string]string{}, map[string]bool{} // by case id
	var failed error
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		once.Do(func() {
			var output string
			output, failed = command.Answer(ctx, Request{EvalID: "batch"})
			for line := range strings.Lines(output) {
				var row struct{ ID string }
				if json.Unmarshal([]byte(line), &row) == nil && row.ID != "" {
					_, repeated[row.ID] = lines[row.ID]
					lines[row.ID] = line
				}
			}
		})
		line, ok := lines[c.ID]
		switch {
		case failed != nil:
			return grade.Submission{}, failed
		case !ok:
			return grade.Submission{}, fmt.Errorf("`%s` printed no line of JSON with the case's `id`, which `provider_batching` requires", command.program())
		case repeated[c.ID]:
			return grade.Submission{}, fmt.Errorf("`%s` printed several lines of JSON with the case's `id`", command.program())
		}
		sub := parseSubmission(line)
		if sub.Answer == line { // the line has neither `text` nor messages
			sub.Answer = ""
		}
		sub.Origin = grade.FromRecording // the command's time is that of all cases
		return sub, nil
	}
}

// writeFiles writes the files that the template names.
func (t CommandTarget) writeFiles(req Request, dir string) error {
	if strings.Contains(t.Template, "{PROMPT_FILE}") {
		if err := os.WriteFile(filepath.Join(dir, promptFile), []byte(req.Prompt), 0o600); err != nil {
			return fmt.Errorf("write the PROMPT_FILE: %w", err)
		}
	}
	if !strings.Contains(t.Template, "{MESSAGES_FILE}") {
		return nil
	}
	messages := make([]rubric.Message, len(req.Messages))
	for i, m := range req.Messages {
		messages[i] = m.WithFiles()
	}
	if err := os.WriteFile(filepath.Join(dir, messagesFile), []byte(grade.IndentJSON(messages)), 0o600); err != nil {
		return fmt.Errorf("write the MESSAGES_FILE: %w", err)
	}
	return nil
}

// The names of an answer's files.
const answerFile, promptFile, messagesFile = "answer.txt", "prompt.txt", "messages.json"

// newAnswerDir makes a temporary directory for the files of one answer of a command. Nobody else can
// place a file or a link there.
func newAnswerDir() (string, error) {
	dir, err := os.MkdirTemp("", "rubric-answer-*")
	if err != nil {
		return "", fmt.Errorf("make a folder for the answer: %w", err)
	}
	return dir, nil
}

func readAnswer(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, errors.New("did not write its OUTPUT_FILE")
	case info.Size() > process.MaxOutput:
		return nil, fmt.Errorf("wrote more than %d MiB to its OUTPUT_FILE", process.MaxOutput>>20)
	}
	return os.ReadFile(path)
}

// parseSubmission parses a command's output. The reference implementation's JSON objects are
// understood: one with `output` or `output_messages`, whose last assistant message is the answer,
// or one with `text`; either with `token_usage`, `cost_usd` and `duration_ms`. Any other output is
// the answer itself. Invalid UTF-8 is replaced, so that judges and results see the same text.
func parseSubmission(output string) grade.Submission {
	output = strings.ToValidUTF8(output, "\uFFFD")
	var object map[string]json.RawMessage // a struct would also accept `Text`
	if json.Unmarshal([]byte(output), &object) != nil {
		return grade.Submission{Answer: output}
	}
	for _, key := range []string{"output", "output_messages"} {
		var messages []rubric.Message
		if json.Unmarshal(object[key], &messages) == nil && len(messages) > 0 {
			return grade.Submission{Answer: lastAssistantText(messages), Messages: messages, Trace: parseTrace(object)}
		}
	}
	if text, ok := object["text"]; ok {
		var value any
		if json.Unmarshal(text, &value) == nil {
			return grade.Submission{Answer: javascript.Encode(value), Trace: parseTrace(object)}
		}
	}
	return grade.Submission{Answer: output}
}

// parseTrace returns what a command reports about its run, or nil. As in the reference
// implementation, negative numbers do not count.
func parseTrace(object map[string]json.RawMessage) *grade.Trace {
	number := func(key string) *float64 {
		var n *float64
		if json.Unmarshal(object[key], &n) != nil || n == nil || *n < 0 {
			return nil
		}
		return n
	}
	t := grade.Trace{CostUSD: number("cost_usd"), DurationMS: number("duration_ms")}
	if json.Unmarshal(object["token_usage"], &t.TokenUsage) != nil {
		t.TokenUsage = nil
	}
	return resultstore.KnownTrace(t)
}

// lastAssistantText returns the text of the last assistant message with content. Messages may hold tool
// calls only.
func lastAssistantText(messages []rubric.Message) string {
	last := ""
	for _, m := range messages {
		if m.Role == "assistant" && m.Content != nil {
			last = contentText(m.Content)
		}
	}
	return last
}

// contentText returns a message's content as a text: of a list of blocks the texts, a line each, and of
// other data its JSON.
func contentText(content any) string {
	blocks, isList := content.([]any)
	if !isList {
		return javascript.Encode(content)
	}
	var texts []string
	for _, block := range blocks {
		fields, _ := block.(map[string]any)
		text, isText := fields["text"].(string)
		if kind := fields["type"]; kind == "text" && isText {
			texts = append(texts, text)
		} else if kind != "image" && kind != "file" {
			return javascript.Encode(content)
		}
	}
	return strings.Join(texts, "\n")
}
