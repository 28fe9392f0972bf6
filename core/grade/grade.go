package grade

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Ports are the host's I/O for grading.
type Ports struct {
	Judge     judge.Judge            // nil: graders that need a judge are ungraded
	OwnJudges map[string]judge.Judge // judges of graders that name one; other names mean Judge
	Exec      Exec                   // nil: programs are not allowed
	Sandbox   Exec                   // runs programs that [Command.SandboxArgv] accepts; nil: they run like any program
	Schema    ValidateSchema         // nil: is-json assertions with a schema are ungraded
	Profile   score.Profile
	Timeout   time.Duration // limits a grader that only computes; 0 means no limit
	Samples   int           // how often a judge is asked for one judgement, all members of a panel together; 0 means once
	PanelSize int           // number of judges in the panel; each is asked for a grader's own samples; 0 means one
}

// Exec runs a program. An error means that it did not run to its end. A failed program has an
// Output with its exit code.
type Exec func(context.Context, Command) (Output, error)

// ValidateSchema validates a JSON document against a JSON Schema and returns the faults in a fixed
// order. Both are decoded with numbers as [json.Number]. An error means that the schema is
// unusable.
type ValidateSchema func(schema, document any) (faults []string, err error)

// Command is a program to run: argv, never a shell line.
type Command struct {
	Argv  []string
	Dir   string // "" for the eval file's folder
	Stdin []byte
}

// SandboxArgv returns the arguments of a WebAssembly module, and whether the program is one. Such a
// module runs in the sandbox without permission. A shell line that is only the name of a module is
// one too.
func (c Command) SandboxArgv() (argv []string, ok bool) {
	argv = c.Argv
	if len(argv) == 3 && argv[0] == "sh" && argv[1] == "-lc" && len(strings.Fields(argv[2])) == 1 {
		argv = strings.Fields(argv[2])
	}
	return argv, len(argv) > 0 && strings.HasSuffix(argv[0], ".wasm")
}

// Output is the output of a program.
type Output struct {
	Stdout, Stderr []byte
	Code           int
}

// Outcome is the outcome of one grader for a submission.
type Outcome struct {
	Name     string
	Kind     rubric.Kind
	Weight   float64
	Judge    string              // its own judge, which the file names; otherwise ""
	Result   score.Result        // with Terms applied
	Terms    score.Terms         // conditions on the grader as a whole
	Criteria []*rubric.Criterion // the criteria of a rubric
	Question *judge.Question     // the first question to a judge; nil if none was asked
	Replies  []judge.Reply       // the judge's replies, in order
	Members  []Outcome           // of a composite
	Combine  string              // how the members were combined: an aggregator's type
	Problems []string            // faults in the grader's own settings
	Err      error               // why a judge or program gave no answer

	isUnusable bool // the grader cannot grade anything
}

// A task is one grading: everything that a grader may use.
type task struct {
	ports      Ports
	evalCase   *rubric.Case
	grader     *rubric.Grader
	submission Submission
	attempts   int // how often a judge is asked until its reply is usable
}

func (t task) sampleCount() int {
	return max(1, t.ports.Samples, t.grader.Samples*max(1, t.ports.PanelSize))
}

func (t task) isAgentV() bool { return t.ports.Profile == score.AgentV }

func (t task) isReference() bool { return t.ports.Profile.IsReference() }

// gradeFuncs returns the grading function of each kind. A variable would be an initialization
// cycle, because a composite grades its members.
func gradeFuncs() map[rubric.Kind]func(context.Context, task) Outcome {
	return map[rubric.Kind]func(context.Context, task) Outcome{
		rubric.LLMJudge:         gradeLLM,
		rubric.CodeJudge:        gradeCode,
		rubric.Composite:        gradeComposite,
		rubric.ToolTrajectory:   gradeTrajectory,
		rubric.FieldAccuracy:    gradeFields,
		rubric.Latency:          gradeLimits,
		rubric.Cost:             gradeLimits,
		rubric.TokenUsage:       gradeLimits,
		rubric.ExecutionMetrics: gradeMetrics,
		rubric.Deterministic:    gradeAssertion,
		rubric.AssertSet:        gradeSet,
		rubric.TraceSteps:       gradeTraceSteps,
		rubric.External:         gradeExternal,
		rubric.Turn:             gradeTurn,
		rubric.Transcript:       gradeTurn,
	}
}

// Grade grades a submission to c by g, whose kind may use underscores or, as in the later dialects,
// hyphens. It always returns: a panic becomes an ungraded outcome.
func Grade(ctx context.Context, ports Ports, c *rubric.Case, g *rubric.Grader, sub Submission) (out Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = panicOutcome(p)
		}
		out.Name, out.Kind, out.Weight = g.Name, g.Kind, g.Weight
		if ports.OwnJudges[g.Judge] != nil {
			out.Judge = g.Judge
		}
		out.Terms = termsOf(c, g, ports.Profile)
		out.Result = out.Terms.Apply(ports.Profile, g.Name, out.Result)
	}()
	if own, ok := g.DialectData.(Dialect); ok {
		return own.Grade(ctx, ports.ForGrader(g), c, g, sub)
	}
	gradeFunc, ok := gradeFuncs()[normalizedKind(g)]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("graders of this kind are not supported: `%s`", g.Kind))}
	}
	t := task{ports, c, g, sub, DefaultAttempts}
	switch normalizedKind(g) {
	case rubric.Deterministic, rubric.FieldAccuracy, rubric.ToolTrajectory:
		return t.gradeWithTimeout(ctx, gradeFunc)
	}
	return gradeFunc(ctx, t)
}

func termsOf(c *rubric.Case, g *rubric.Grader, profile score.Profile) score.Terms {
	if own, ok := g.DialectData.(Dialect); ok {
		return score.Terms{Required: own.IsGate(profile, g), ByVerdict: true}
	}
	terms := score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: c.PassAt(profile.IsReference())}
	if profile == score.AgentV4 && c.SharedThreshold {
		terms.Threshold = nil
	}
	return terms
}

// gradeWithTimeout runs a grader that only computes. It returns when ctx is done or the time limit
// is reached. Work that cannot be stopped, such as regular expression matching, then continues
// unobserved.
func (t task) gradeWithTimeout(ctx context.Context, gradeFunc func(context.Context, task) Outcome) Outcome {
	if t.ports.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.ports.Timeout, fmt.Errorf("timed out after %s", t.ports.Timeout))
		defer cancel()
	}
	done := make(chan Outcome, 1)
	go func() {
		var out Outcome
		defer func() {
			if p := recover(); p != nil {
				out = panicOutcome(p)
			}
			done <- out
		}()
		out = gradeFunc(ctx, t)
	}()
	select {
	case out := <-done:
		return out
	case <-ctx.Done():
		return Outcome{Result: score.UngradedResult(context.Cause(ctx).Error())}
	}
}

func panicOutcome(p any) Outcome {
	return Outcome{Result: score.UngradedResult(fmt.Sprintf("grading panicked: %v", p))}
}

// normalizedKind returns a grader's kind with underscores, as in [gradeFuncs].
func normalizedKind(g *rubric.Grader) rubric.Kind {
	return rubric.Kind(strings.ReplaceAll(string(g.Kind), "-", "_"))
}

// GradersOf returns the graders of a case: its own, or one of its fallback kind, if any.
func GradersOf(c *rubric.Case) []*rubric.Grader {
	if len(c.Graders) > 0 || c.Fallback == rubric.NoGrader {
		return c.Graders
	}
	kind := cmp.Or(c.Fallback, rubric.LLMJudge)
	return []*rubric.Grader{{Name: string(kind), Kind: kind, Weight: 1, IsFallback: true, Preprocessors: c.Preprocessors}}
}

// missingData returns the result of a grader whose input is missing.
func (t task) missingData(what string) score.Result {
	if t.isReference() {
		return score.PlainResult(0, nil, []string{what}, what)
	}
	return score.UngradedResult(what)
}

// unusable returns the outcome of a grader that cannot grade anything. In the reference it also breaks
// the composites and sets that it is in.
func (t task) unusable(why string) Outcome {
	return Outcome{Result: t.missingData(why), isUnusable: true}
}

// NeedsJudgeOrProgram reports whether g asks a judge or runs a program that may be run. Any other
// grader always gives the same result for the same submission.
func (p Ports) NeedsJudgeOrProgram(g *rubric.Grader) bool {
	switch normalizedKind(g) {
	case rubric.LLMJudge:
		return !hasPromptScript(g) || p.canRun(g.Prompt.Script)
	case rubric.TraceSteps:
		return g.Assert.Type == rubric.GoalSuccess
	case rubric.CodeJudge:
		return g.Code != nil && p.canRun(g.Code.Argv)
	case rubric.External:
		return p.canRun(interpreters[externalAssertion(g).Type])
	}
	if c := g.Combine; c != nil && (c.Type == "llm_judge" || c.Type == "code_judge" && p.canRun(combinerArgv(*c))) {
		return true
	}
	return slices.ContainsFunc(g.Members, p.NeedsJudgeOrProgram)
}

// ReadsBeyondAnswer reports whether g reads more of a submission than its answer and trace summary:
// messages, tool calls or files. A program receives all of them.
func (p Ports) ReadsBeyondAnswer(g *rubric.Grader) bool {
	switch k := normalizedKind(g); {
	case k == rubric.ToolTrajectory, k == rubric.ExecutionMetrics, k == rubric.TraceSteps:
		return true
	case k == rubric.CodeJudge, k == rubric.External, hasPromptScript(g):
		return p.NeedsJudgeOrProgram(g)
	case k == rubric.LLMJudge:
		return len(g.Preprocessors) > 0 || len(g.Criteria) == 0 && g.Prompt != nil && mentionsMessages(g.Prompt.Text)
	}
	return g.Combine != nil && mentionsMessages(g.Combine.Prompt) || slices.ContainsFunc(g.Members, p.ReadsBeyondAnswer)
}

// ReadsDuration reports whether g reads how long the target took. Programs receive it.
func ReadsDuration(g *rubric.Grader) bool {
	switch normalizedKind(g) {
	case rubric.Latency, rubric.ExecutionMetrics, rubric.CodeJudge, rubric.External:
		return true
	case rubric.Deterministic:
		return g.Assert != nil && g.Assert.Type == string(rubric.Latency)
	}
	return slices.ContainsFunc(g.Members, ReadsDuration)
}

func (p Ports) canRun(argv []string) bool {
	_, sandboxed := Command{Argv: argv}.SandboxArgv()
	return len(argv) > 0 && (p.Exec != nil || sandboxed && p.Sandbox != nil)
}

func hasPromptScript(g *rubric.Grader) bool {
	return len(g.Criteria) == 0 && g.Prompt != nil && len(g.Prompt.Script) > 0
}

// mentionsMessages reports whether a prompt may use messages or tool calls as variables.
func mentionsMessages(prompt string) bool {
	return strings.Contains(prompt, "output_messages") || strings.Contains(prompt, "tool_calls")
}
