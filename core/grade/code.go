package grade

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// tail is how much of a failed program's standard error is shown, in characters.
const tail = 2000

var (
	errNotAllowed = errors.New("code graders run only with --allow-exec")
	errNoProgram  = errors.New("it names no program to run")
)

// payload is what a code judge reads on standard input; the order of its keys
// is part of the contract. What is absent is null.
type payload struct {
	Question         string           `json:"question"`
	ExpectedOutcome  string           `json:"expected_outcome"`
	ExpectedMessages []rubric.Message `json:"expected_messages"`
	ReferenceAnswer  *string          `json:"reference_answer"`
	CandidateAnswer  string           `json:"candidate_answer"`
	OutputMessages   []rubric.Message `json:"output_messages"`
	GuidelineFiles   []string         `json:"guideline_files"`
	InputFiles       []string         `json:"input_files"`
	InputMessages    []rubric.Message `json:"input_messages"`
	TraceSummary     *Trace           `json:"trace_summary"`
	Config           map[string]any   `json:"config"`
}

func (t task) payload(config map[string]any) ([]byte, error) {
	p := payload{
		Question: t.c.Question, ExpectedOutcome: t.c.ExpectedOutcome, ExpectedMessages: orEmpty(t.c.Expected),
		CandidateAnswer: t.sub.Answer, OutputMessages: t.sub.Messages,
		GuidelineFiles: orEmpty(t.sub.GuidelineFiles), InputFiles: orEmpty(t.sub.InputFiles),
		InputMessages: orEmpty(t.c.Input), TraceSummary: t.sub.Trace,
	}
	if t.c.ReferenceAnswer != "" {
		p.ReferenceAnswer = &t.c.ReferenceAnswer
	}
	if len(config) > 0 {
		p.Config = config
	}
	return told(p)
}

// told is what a program reads, as JSON.
func told(payload any) ([]byte, error) {
	text, err := encodePretty(payload)
	if err != nil {
		return nil, fmt.Errorf("what the program reads cannot be written as JSON: %w", err)
	}
	return []byte(text), nil
}

// failedProgram says that a program ran and failed.
type failedProgram struct{ message string }

func (f failedProgram) Error() string { return f.message }

// run returns a program's standard output without the spaces and the byte order
// mark at its ends.
func (t task) run(ctx context.Context, cmd Command) (string, error) {
	out, err := t.exec(ctx, cmd)
	if err != nil {
		return "", err
	}
	if out.Code != 0 {
		return "", failed(out.Code, strings.TrimSpace(string(out.Stderr)))
	}
	return trimmed(string(out.Stdout)), nil
}

// exec runs a program, in the sandbox if it can be.
func (t task) exec(ctx context.Context, cmd Command) (Output, error) {
	run := t.ports.Exec
	if argv, ok := cmd.Sandboxed(); ok && t.ports.Sandbox != nil {
		run, cmd.Argv = t.ports.Sandbox, argv
	}
	if run == nil {
		return Output{}, errNotAllowed
	}
	if len(cmd.Argv) == 0 {
		return Output{}, errNoProgram
	}
	out, err := run(ctx, cmd)
	if err != nil {
		return out, fmt.Errorf("run `%s`: %w", cmd.Argv[0], err)
	}
	return out, nil
}

// failed says how a program failed, with the end of what it complained.
func failed(code int, stderr string) failedProgram {
	message := fmt.Sprintf("the program exited with code %d", code)
	if stderr != "" {
		message += ": " + lastPart(stderr)
	}
	return failedProgram{message}
}

func lastPart(text string) string {
	if runes := []rune(text); len(runes) > tail {
		return "…" + string(runes[len(runes)-tail:])
	}
	return text
}

// gradeCode has a program judge.
func gradeCode(ctx context.Context, t task) Outcome {
	var code rubric.Code
	if t.g.Code != nil {
		code = *t.g.Code
	}
	if t.g.Assert != nil {
		return t.gradeScript(ctx, code)
	}
	stdin, err := t.payload(code.Config)
	if err != nil {
		return t.broken(err)
	}
	stdout, err := t.run(ctx, Command{Argv: code.Argv, Dir: code.Dir, Stdin: stdin, MaxCalls: code.MaxCalls})
	if err != nil {
		return t.broken(err)
	}
	return Outcome{Result: t.verdictOf(stdout)}
}

// broken is the outcome when a program gave no output to read. A program that
// ran and failed is a fail with a miss that says so; one that could not run has
// judged nothing.
func (t task) broken(err error) Outcome {
	var program failedProgram
	if errors.As(err, &program) || t.reference() && !errors.Is(err, errNotAllowed) {
		return Outcome{Result: score.Plain(0, nil, []string{err.Error()}, err.Error())}
	}
	return Outcome{Result: score.UngradedResult(err.Error()), Err: err}
}

// verdictOf reads what a code judge printed. The reference takes an unreadable
// output for a silent 0; by the rules nothing has been judged then.
func (t task) verdictOf(stdout string) score.Result {
	parsed, err := t.parse(stdout)
	said, ok := parsed.(map[string]any)
	if !ok {
		what := "the program printed no JSON object"
		if err != nil && strings.HasPrefix(stdout, "{") {
			what = "the program printed no usable JSON object: " + err.Error()
		}
		return t.silent(what)
	}
	value, ok := said["score"].(float64)
	if !ok {
		if !t.reference() {
			return t.silent(fmt.Sprintf("the program's `score` is %s, not a number", show(said["score"])))
		}
		value = math.NaN()
	}
	reasoning, _ := said["reasoning"].(string)
	r := score.Plain(value, onlyStrings(said["hits"]), onlyStrings(said["misses"]), reasoning)
	if details, ok := said["details"].(map[string]any); ok {
		r.Details = details
	}
	return r
}

func (t task) silent(what string) score.Result {
	if t.reference() {
		return score.Plain(0, nil, nil, "")
	}
	return score.UngradedResult(what)
}

// onlyStrings are the strings in a list that are not blank.
func onlyStrings(value any) []string {
	list, _ := value.([]any)
	var lines []string
	for _, item := range list {
		if line, ok := item.(string); ok && strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
