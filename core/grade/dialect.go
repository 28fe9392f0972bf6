package grade

import (
	"context"
	"errors"
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

// ForGrader returns the ports with the judge that a grader names, if there is one. It has no panel.
func (p Ports) ForGrader(g *rubric.Grader) Ports {
	if own := p.OwnJudges[g.Judge]; own != nil {
		p.Judge, p.Samples, p.PanelSize = own, p.Samples/max(1, p.PanelSize), 1
	}
	return p
}

// DefaultAttempts is how often a judge is asked until its reply is usable.
const DefaultAttempts = 3

// AskUntilUsable asks the judge until read finds no problems in its answer, at most as often as attempts says. It
// returns the last answer, and all replies. An error means that the judge gave no answer.
//
// Under the spec a judge with an unusable reply is told what was wrong, and a judge that fails to
// answer is not asked again: the judge itself knows when to retry. The references repeat the same
// question in both cases, unless a limit is reached.
func (p Ports) AskUntilUsable(
	ctx context.Context, q judge.Question, attempts int, read func(*judge.Answer) (problems []string),
) (a judge.Answer, replies []judge.Reply, err error) {
	if p.Judge == nil {
		return a, nil, errNoJudge
	}
	q.FirstUser = q.User
	for q.Attempt = range attempts {
		if a, err = p.Judge.Ask(ctx, q); err != nil {
			if a.Usage != (judge.Usage{}) { // refused or cut short, but paid for
				replies = append(replies, a.ReplyTo(q, []string{err.Error()}))
			}
			err = fmt.Errorf("the judge gave no answer: %w", err)
			if p.Profile.IsReference() && ctx.Err() == nil && !errors.Is(err, judge.ErrLimit) {
				continue
			}
			return a, replies, err
		}
		problems := read(&a)
		if replies = append(replies, a.ReplyTo(q, problems)); len(problems) == 0 {
			return a, replies, nil
		}
		if !p.Profile.IsReference() {
			q.User = retryPrompt(q.FirstUser, problems)
		}
	}
	return a, replies, err
}

// Run runs a program, with input as JSON on its standard input, and returns what it prints.
func (p Ports) Run(ctx context.Context, argv []string, dir string, input any) (string, error) {
	stdin, err := encodeInput(input)
	if err != nil {
		return "", err
	}
	return task{ports: p}.runProgram(ctx, Command{Argv: argv, Dir: dir, Stdin: stdin})
}
