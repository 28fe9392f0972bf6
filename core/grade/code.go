package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// maxStderr is how much of a failed program's standard error is shown, in characters.
const maxStderr = 2000

var (
	errNotAllowed = errors.New("programs run only with `rubric run FILE --allow-exec`")
	errNoProgram  = errors.New("it names no program to run")
)

// codeInput is what a code judge reads on standard input. The order of its keys is part of the
// contract. Absent values are null.
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
		Question: cmp.Or(rubric.PlainText(t.evalCase.Input), t.evalCase.Question), ExpectedOutcome: t.evalCase.ExpectedOutcome, ExpectedMessages: orEmpty(t.evalCase.Expected),
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

func encodeInput(payload any) ([]byte, error) {
	text, err := rubric.EncodeIndented(payload)
	if err != nil {
		return nil, fmt.Errorf("the program's input cannot be encoded as JSON: %w", err)
	}
	return []byte(text), nil
}

func (t task) runProgram(ctx context.Context, cmd Command) (string, error) {
	out, err := t.execCommand(ctx, cmd)
	if err != nil {
		return "", err
	}
	if out.Code != 0 {
		return "", exitError(out)
	}
	return javascript.TrimSpace(string(out.Stdout)), nil
}

// execCommand runs a program, in the sandbox if possible.
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

func exitError(out Output) error {
	message := fmt.Sprintf("the program exited with code %d", out.Code)
	if stderr := javascript.TrimSpace(string(out.Stderr)); stderr != "" {
		message += ": " + TruncateStart(stderr)
	}
	return errors.New(message)
}

// TruncateStart returns the end of a failed program's standard error.
func TruncateStart(text string) string {
	if runes := []rune(text); len(runes) > maxStderr {
		return "…" + string(runes[len(runes)-maxStderr:])
	}
	return text
}

func gradeCode(ctx context.Context, t task) Outcome {
	code := generic.OrZero(t.grader.Code)
	if t.grader.Assert != nil {
		return t.gradeScript(ctx, code)
	}
	stdin, err := t.encodeCodeInput(code.Config)
	if err != nil {
		return t.programFailure(err)
	}
	stdout, err := t.runProgram(ctx, Command{Argv: code.Argv, Dir: code.Dir, Stdin: stdin})
	if err != nil {
		return t.programFailure(err)
	}
	return Outcome{Result: t.parseCodeResult(stdout)}
}

// programFailure returns the outcome of a program without readable output: the grader is ungraded.
// To the reference that is a score of 0 with this miss.
func (t task) programFailure(err error) Outcome {
	if t.isReference() && !errors.Is(err, errNotAllowed) {
		return Outcome{Result: score.PlainResult(0, nil, []string{err.Error()}, err.Error())}
	}
	return Outcome{Result: score.UngradedResult(err.Error()), Err: err}
}

// parseCodeResult reads the output of a code judge. The reference takes unreadable output for a
// silent 0; by the rules it is ungraded.
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
			return t.unreadableOutput("the program's `score` " + wrongValue(output["score"], "a number"))
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

// interpreters are the programs that run an assertion's code. They read {code, output, context} and
// print the result as JSON. One line is an expression, several are the body of a function.
var interpreters = map[string][]string{
	"python": {"python3", "-c", `import json, sys, textwrap
given, names = json.load(sys.stdin), {}
code = given["code"]
body = code if "\n" in code else "return " + code
exec("def judge(output, context):\n" + textwrap.indent(body, "    "), names)
print(json.dumps(names["judge"](given["output"], given["context"])))
`},
	"javascript": {"node", "-e", `const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const code = given.code.trim().replace(/;+$/, "");
const body = code.includes("\n") || /\breturn\b/.test(code) ? code : "return (" + code + ")";
Promise.resolve(new Function("output", "context", body)(given.output, given.context))
  .then(result => console.log(JSON.stringify(result)));
`},
}

// gradeExternal runs an assertion's code in an interpreter. Assertions of other types are ungraded,
// with the reason.
func gradeExternal(ctx context.Context, t task) Outcome {
	a := externalAssertion(t.grader)
	switch why := Unsupported(t.grader); {
	case why != "" && !slices.Contains(knownExternal, a.Type):
		return t.unusable(why) // the reference has no such type
	case why != "":
		return Outcome{Result: score.UngradedResult(why)}
	}
	texts, err := assertionTexts(a)
	if err != nil {
		return Outcome{Result: score.UngradedResult(err.Error())}
	}
	stdin, err := encodeInput(map[string]any{"code": texts[0], "output": t.submission.Answer, "context": t.newScriptInput(nil)})
	if err != nil {
		return t.programFailure(err)
	}
	stdout, err := t.runProgram(ctx, Command{Argv: interpreters[a.Type], Stdin: stdin})
	if err != nil {
		return t.programFailure(err)
	}
	return Outcome{Result: t.parseComputed(stdout)}
}

// knownExternal are the types of the reference that nothing here grades.
var knownExternal = []string{"webhook", "similar"}

func externalAssertion(g *rubric.Grader) rubric.Assertion {
	if g.Assert != nil {
		return *g.Assert
	}
	return rubric.Assertion{Type: g.Name}
}

// parseComputed reads the result of an assertion's code: a boolean, a number that is the score, or
// an object like a script's.
func (t task) parseComputed(stdout string) score.Result {
	value, err := t.parseOutput(stdout)
	if err != nil {
		return t.missingData("the code's result is not JSON")
	}
	switch v := value.(type) {
	case bool:
		return findingResult(v, fmt.Sprintf("the code returned %v", v))
	case float64:
		return score.NumberResult(v, t.codeThreshold())
	case map[string]any:
		r := t.scriptResult(v, score.Spec)
		if _, verdict := v["pass"].(bool); !verdict && r.Ungraded == "" {
			r.Verdict = score.NumberResult(*r.Score, t.codeThreshold()).Verdict
		}
		return r
	}
	return t.missingData("the code returned " + describeValue(value) + ", not a boolean, a number or an object")
}

// codeThreshold returns the score from which a numeric result passes; nil if there is none.
func (t task) codeThreshold() *float64 {
	if n, ok := toFloat(generic.OrZero(t.grader.Assert).Config["threshold"]); ok && t.grader.Threshold == nil {
		return &n
	}
	return t.grader.Threshold
}
