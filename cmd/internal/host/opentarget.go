package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// patience is how long a target's command may take for one answer when its
// definition does not say, as in the reference implementation.
const patience = 2 * time.Minute

// OpenTarget makes a target that [FindTarget] found ready to be asked. Limit is
// the most time for one answer of a command, and wins over what its definition
// says; 0 leaves it to that. An error names the targets file and wraps
// [judge.ErrUnreachable] when the target is well defined and does not answer its
// healthcheck.
func OpenTarget(ctx context.Context, t agentv.Target, targetsFile string, limit time.Duration) (run.Target, error) {
	target, err := open(ctx, t, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: target `%s`%w", targetsFile, t.Name, err)
	}
	return target, nil
}

func open(ctx context.Context, t agentv.Target, limit time.Duration) (run.Target, error) {
	switch {
	case t.Provider == "":
		return nil, errors.New(": it has no `provider`")
	case t.Provider == "mock":
		return delayed(run.Mock(t.Response), duration(t.DelayMS, time.Millisecond)), nil
	case t.Command == nil:
		return nil, fmt.Errorf(": the provider `%s` is not built in; there are `cli` and `mock`", t.Provider)
	case len(t.Missing) > 0:
		return nil, fmt.Errorf(": not set in the environment or a .env file: %s", strings.Join(t.Missing, ", "))
	case strings.TrimSpace(t.Command.Template) == "":
		return nil, errors.New(": it has no `command_template`")
	}
	command := CommandTarget{
		Template: t.Command.Template, FilesFormat: t.Command.FilesFormat, Dir: t.Command.Dir,
		Timeout: cmp.Or(limit, duration(t.Command.TimeoutSeconds, time.Second), patience),
	}
	if err := command.Check(); err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	if err := healthy(ctx, t.Command.Health, command.Timeout); err != nil {
		return nil, err
	}
	return Ask(command), nil
}

// Ask makes a target of a command.
func Ask(command CommandTarget) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		said, err := command.Answer(ctx, Request{Prompt: c.Question, EvalID: c.ID, Files: c.Files})
		if err != nil {
			return grade.Submission{}, err
		}
		sub := submission(said)
		sub.InputFiles = c.Files
		return sub, nil
	}
}

// delayed answers after a while, as a mock may be told to.
func delayed(target run.Target, wait time.Duration) run.Target {
	if wait <= 0 {
		return target
	}
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		select {
		case <-time.After(wait):
			return target(ctx, c)
		case <-ctx.Done():
			return grade.Submission{}, context.Cause(ctx)
		}
	}
}

// unreachable says that a target cannot be asked, and why.
func unreachable(format string, args ...any) error {
	return fmt.Errorf(" %w: %w", judge.ErrUnreachable, fmt.Errorf(format, args...))
}

// duration is n units, 0 for what is no time at all.
func duration(n float64, unit time.Duration) time.Duration {
	switch d := n * float64(unit); {
	case !(d > 0):
		return 0
	case d >= math.MaxInt64:
		return math.MaxInt64
	default:
		return time.Duration(d)
	}
}
