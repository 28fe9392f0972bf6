package grade

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Ports are what grading needs from outside.
type Ports struct {
	Judge     judge.Judge    // nil: whatever needs a judge is ungraded
	Exec      Exec           // nil: programs are not allowed
	Sandbox   Exec           // runs what [Command.Sandboxed] says can touch nothing; nil: as any program
	Schema    ValidateSchema // nil: is-json assertions with a schema are ungraded
	Profile   score.Profile
	Timeout   time.Duration // the most time for a grader that computes and asks nobody; 0 means no limit
	Samples   int           // how often a judge is asked for one judgement, all seats of a panel together; 0 means once
	PanelSize int           // of the panel; a grader's own samples are of each; 0 means one
}

// Exec runs a program. An error means that it could not be run to its end; a
// program that fails has an Output with its exit code.
type Exec func(context.Context, Command) (Output, error)

// ValidateSchema holds a JSON document against a JSON Schema, both as decoded with
// numbers as [json.Number], and says in which ways it is not valid, in an order
// that is always the same. An error means that the schema cannot be used.
type ValidateSchema func(schema, document any) (faults []string, err error)

// Command is a program to run: argv, never a shell line.
type Command struct {
	Argv     []string
	Dir      string // "" for the eval file's own folder
	Stdin    []byte
	MaxCalls *int // model calls it may make through a proxy; nil: none
}

// SandboxArgv reports whether the program is a WebAssembly module, which needs
// nobody's leave where a sandbox is at hand. A line for the shell that is but the
// name of a module is one too; argv is what it then comes to.
func (c Command) SandboxArgv() (argv []string, ok bool) {
	argv = c.Argv
	if len(argv) == 3 && argv[0] == "sh" && argv[1] == "-lc" && len(strings.Fields(argv[2])) == 1 {
		argv = strings.Fields(argv[2])
	}
	return argv, len(argv) > 0 && strings.HasSuffix(argv[0], ".wasm")
}

// Output is what a program left behind.
type Output struct {
	Stdout, Stderr []byte
	Code           int
}

// Outcome is what one grader made of a submission.
type Outcome struct {
	Name     string
	Kind     rubric.Kind
	Weight   float64
	Result   score.Result        // held to Terms
	Terms    score.Terms         // what is asked of the grader as a whole
	Criteria []*rubric.Criterion // what was judged, for a rubric
	Question *judge.Question     // what a judge was asked first; nil if none was
	Replies  []Reply             // what it replied, in order
	Members  []Outcome           // of a composite
	Combine  string              // how the members were combined: an aggregator's type
	Problems []string            // what is odd about the grader's own settings
	Err      error               // why a judge or program gave no answer at all
}

// Reply is one raw answer of a judge.
type Reply struct {
	judge.Answer
	Attempt, Sample int
	Problems        []string // why it could not be used; empty if it could
}

// task is one grading: everything a way of grading may look at.
type task struct {
	ports      Ports
	evalCase   *rubric.Case
	grader     *rubric.Grader
	submission Submission
	attempts   int // how often a judge is asked until its reply can be used
}

// sampleCount is how often a judge is asked for one judgement.
func (t task) sampleCount() int {
	return max(1, t.ports.Samples, t.grader.Samples*max(1, t.ports.PanelSize))
}

// isAgentV reports whether the oldest version of the reference is repeated.
func (t task) isAgentV() bool { return t.ports.Profile == score.AgentV }

// isReference reports whether any version of it is.
func (t task) isReference() bool { return t.ports.Profile.IsReference() }

// gradeFuncs lists the ways of grading. It is a function because a composite grades
// its members in the same ways.
func gradeFuncs() map[rubric.Kind]func(context.Context, task) Outcome {
	return map[rubric.Kind]func(context.Context, task) Outcome{
		rubric.LLMJudge:         gradeLLM,
		rubric.CodeJudge:        gradeCode,
		rubric.Composite:        gradeComposite,
		rubric.ToolTrajectory:   gradeTrajectory,
		rubric.FieldAccuracy:    gradeFields,
		rubric.Latency:          gradeLatency,
		rubric.Cost:             gradeCost,
		rubric.TokenUsage:       gradeTokens,
		rubric.ExecutionMetrics: gradeMetrics,
		rubric.Deterministic:    gradeAssertion,
		rubric.AssertSet:        gradeSet,
		rubric.External:         gradeExternal,
	}
}

// Grade grades a submission to c in one of its ways, g, whose kind may be written
// with underscores or, as in the newer dialects, with hyphens. It returns in
// every case: a panic inside is an ungraded outcome that says so.
func Grade(ctx context.Context, ports Ports, c *rubric.Case, g *rubric.Grader, sub Submission) (out Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = panicOutcome(p)
		}
		out.Name, out.Kind, out.Weight = g.Name, g.Kind, g.Weight
		out.Terms = score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: c.Threshold}
		out.Result = out.Terms.Apply(ports.Profile, g.Name, out.Result)
	}()
	way, ok := gradeFuncs()[normalizedKind(g)]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("nothing here grades a `%s`", g.Kind))}
	}
	t := task{ports, c, g, sub, defaultAttempts}
	switch normalizedKind(g) {
	case rubric.Deterministic, rubric.FieldAccuracy, rubric.ToolTrajectory:
		return t.gradeWithTimeout(ctx, way)
	}
	return way(ctx, t)
}

// gradeWithTimeout grades in a way that computes and asks nobody. It returns once ctx is
// done or the time for one grader is over. Work that cannot be stopped, such as
// matching a regular expression, then ends unobserved.
func (t task) gradeWithTimeout(ctx context.Context, way func(context.Context, task) Outcome) Outcome {
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
		out = way(ctx, t)
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

// normalizedKind is a grader's, as [ways] has it.
func normalizedKind(g *rubric.Grader) rubric.Kind {
	return rubric.Kind(strings.ReplaceAll(string(g.Kind), "-", "_"))
}

// GradersOf are the ways in which a case is graded: its own, or, for a case that
// names none, one of its fallback kind.
func GradersOf(c *rubric.Case) []*rubric.Grader {
	if len(c.Graders) > 0 {
		return c.Graders
	}
	kind := c.Fallback
	if kind == "" {
		kind = rubric.LLMJudge
	}
	return []*rubric.Grader{{Name: string(kind), Kind: kind, Weight: 1}}
}

// missingData is the result of a grader that has nothing to look at.
func (t task) missingData(what string) score.Result {
	if t.isReference() {
		return score.PlainResult(0, nil, []string{what}, what)
	}
	return score.UngradedResult(what)
}
