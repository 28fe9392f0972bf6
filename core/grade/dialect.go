package grade

import (
	"context"
	"fmt"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Dialect is a grader's DialectData that grades by the rules of its dialect. Kind then only says
// what the grader needs. It must be safe for concurrent use.
type Dialect interface {
	// Grade grades a submission. Its result has its own verdict, whatever the score.
	Grade(ctx context.Context, ports Ports, c *rubric.Case, g *rubric.Grader, sub Submission) Outcome
	// IsGate reports whether a case fails if g fails.
	IsGate(profile score.Profile, g *rubric.Grader) bool
	// IsYesNo reports whether every score is 1 or 0.
	IsYesNo() bool
	// Unsupported returns why it leaves every answer ungraded, on any host and with any permission,
	// or "".
	Unsupported() string
}

// IsYesNo reports whether every score of a grader is 1 or 0.
func IsYesNo(g *rubric.Grader) bool {
	if own, ok := g.DialectData.(Dialect); ok {
		return own.IsYesNo()
	}
	return normalizedKind(g) == rubric.Deterministic
}

// GradeMembers grades a set by each member, and returns the parts to combine.
func GradeMembers(ctx context.Context, ports Ports, c *rubric.Case, g *rubric.Grader, sub Submission) (Outcome, []score.WeightedResult) {
	out, parts := task{ports: ports, evalCase: c, grader: g, submission: sub}.gradeMembers(ctx)
	out.Combine = string(rubric.AssertSet)
	return out, parts
}

// Ask asks the judge of a grader once. An error means that there is no answer.
func (p Ports) Ask(ctx context.Context, g *rubric.Grader, q judge.Question) (judge.Answer, error) {
	asked := p.Judge
	if own := p.OwnJudges[g.Judge]; own != nil {
		asked = own
	}
	if asked == nil {
		return judge.Answer{}, errNoJudge
	}
	a, err := asked.Ask(ctx, q)
	if err != nil {
		err = fmt.Errorf("the judge gave no answer: %w", err)
	}
	return a, err
}

// Run runs a program, with input as JSON on its standard input, and returns what it prints.
func (p Ports) Run(ctx context.Context, argv []string, dir string, input any) (string, error) {
	stdin, err := encodeInput(input)
	if err != nil {
		return "", err
	}
	return task{ports: p}.runProgram(ctx, Command{Argv: argv, Dir: dir, Stdin: stdin})
}
