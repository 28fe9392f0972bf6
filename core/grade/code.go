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

// maxStderr is how much of a failed program's standard error is shown, in characters.
const maxStderr = 2000

var (
	errNotAllowed = errors.New("code graders run only with --allow-exec")
	errNoProgram  = errors.New("it names no program to run")
)

// codeInput is what a code judge reads on standard input; the order of its keys
// is part of the contract. What is absent is null.
type codeInput struct {
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

func (t task) encodeCodeInput(config map[string]any) ([]byte, error) {
	p := codeInput{
		Question: t.evalCase.Question, ExpectedOutcome: t.evalCase.ExpectedOutcome, ExpectedMessages: orEmpty(t.evalCase.Expected),
		CandidateAnswer: t.submission.Answer, OutputMessages: t.submission.Messages,
		GuidelineFiles: orEmpty(t.submission.GuidelineFiles), InputFiles: orEmpty(t.submission.InputFiles),
		InputMessages: orEmpty(t.evalCase.Input), TraceSummary: t.submission.Trace,
	}
	if t.evalCase.ReferenceAnswer != "" {
		p.ReferenceAnswer = &t.evalCase.ReferenceAnswer
	}
	if len(config) > 0 {
		p.Config = config
	}
	return encodeInput(p)
}

// encodeInput is what a program reads, as JSON.
func encodeInput(payload any) ([]byte, error) {
	text, err := encodeIndented(payload)
	if err != nil {
		return nil, fmt.Errorf("what the program reads cannot be written as JSON: %w", err)
	}
	return []byte(text), nil
}

// programError says that a program ran and failed.
type programError struct{ message string }

func (f programError) Error() string { return f.message }

// runProgram returns a program's standard output without the spaces and the byte order
// mark at its ends.
func (t task) runProgram(ctx context.Context, cmd Command) (string, error) {
	out, err := t.execCommand(ctx, cmd)
	if err != nil {
		return "", err
	}
	if out.Code != 0 {
		return "", exitError(out.Code, strings.TrimSpace(string(out.Stderr)))
	}
	return trimSpaceJS(string(out.Stdout)), nil
}

// execCommand runs a program, in the sandbox if it can be.
func (t task) execCommand(ctx context.Context, cmd Command) (Output, error) {
	run := t.ports.Exec
	if argv, ok := cmd.SandboxArgv(); ok && t.ports.Sandbox != nil {
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

// exitError says how a program failed, with the end of what it complained.
func exitError(code int, stderr string) programError {
	message := fmt.Sprintf("the program exited with code %d", code)
	if stderr != "" {
		message += ": " + truncateStart(stderr)
	}
	return programError{message}
}

func truncateStart(text string) string {
	if runes := []rune(text); len(runes) > maxStderr {
		return "…" + string(runes[len(runes)-maxStderr:])
	}
	return text
}

// gradeCode has a program judge.
func gradeCode(ctx context.Context, t task) Outcome {
	var code rubric.Code
	if t.grader.Code != nil {
		code = *t.grader.Code
	}
	if t.grader.Assert != nil {
		return t.gradeScript(ctx, code)
	}
	stdin, err := t.encodeCodeInput(code.Config)
	if err != nil {
		return t.programFailure(err)
	}
	stdout, err := t.runProgram(ctx, Command{Argv: code.Argv, Dir: code.Dir, Stdin: stdin, MaxCalls: code.MaxCalls})
	if err != nil {
		return t.programFailure(err)
	}
	return Outcome{Result: t.parseCodeResult(stdout)}
}

// programFailure is the outcome when a program gave no output to read. A program that
// ran and failed is a fail with a miss that says so; one that could not run has
// judged nothing.
func (t task) programFailure(err error) Outcome {
	var program programError
	if errors.As(err, &program) || t.isReference() && !errors.Is(err, errNotAllowed) {
		return Outcome{Result: score.PlainResult(0, nil, []string{err.Error()}, err.Error())}
	}
	return Outcome{Result: score.UngradedResult(err.Error()), Err: err}
}

// parseCodeResult reads what a code judge printed. The reference takes an unreadable
// output for a silent 0; by the rules nothing has been judged then.
func (t task) parseCodeResult(stdout string) score.Result {
	parsed, err := t.parseOutput(stdout)
	output, ok := parsed.(map[string]any)
	if !ok {
		what := "the program printed no JSON object"
		if err != nil && strings.HasPrefix(stdout, "{") {
			what = "the program printed no usable JSON object: " + err.Error()
		}
		return t.unreadableOutput(what)
	}
	value, ok := output["score"].(float64)
	if !ok {
		if !t.isReference() {
			return t.unreadableOutput(fmt.Sprintf("the program's `score` is %s, not a number", describeValue(output["score"])))
		}
		value = math.NaN()
	}
	reasoning, _ := output["reasoning"].(string)
	r := score.PlainResult(value, nonBlankStrings(output["hits"]), nonBlankStrings(output["misses"]), reasoning)
	if details, ok := output["details"].(map[string]any); ok {
		r.Details = details
	}
	return r
}

func (t task) unreadableOutput(what string) score.Result {
	if t.isReference() {
		return score.PlainResult(0, nil, nil, "")
	}
	return score.UngradedResult(what)
}

// nonBlankStrings are the strings in a list that are not blank.
func nonBlankStrings(value any) []string {
	list, _ := value.([]any)
	var lines []string
	for _, item := range list {
		if line, ok := item.(string); ok && strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
