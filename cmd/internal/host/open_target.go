package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// defaultTimeout is how long a target's command may take for one answer when its
// definition does not say, as in the reference implementation.
const defaultTimeout = 2 * time.Minute

func (p *Ports) connectTarget(ctx context.Context, t agentv.Target) (run.Target, error) {
	model, isModel := wire.FindProvider(t.Provider)
	switch {
	case t.Provider == "mock":
		return mockTarget(t)
	case isModel:
		m, err := p.targetModel(ctx, t, model)
		if err != nil {
			return nil, fmt.Errorf(": %w", err)
		}
		return p.modelTarget(m)
	case t.Command == nil:
		return nil, unknownProviderError(t)
	}
	command, err := targetCommand(t, p.Timeout)
	if err != nil {
		return nil, err
	}
	if err := checkHealth(ctx, t.Command.Health, command); err != nil {
		return nil, err
	}
	if t.Batching && t.Provider == "cli" {
		return batchTarget(command), nil
	}
	return CommandRunTarget(command), nil
}

// planTarget opens a target that is not asked: a mock answers all the same.
func planTarget(_ context.Context, t agentv.Target) (run.Target, error) {
	if why := targetProblem(t); why != "" {
		return nil, errors.New(": " + why)
	}
	return run.MockTarget(t.Response), nil
}

func unknownProviderError(t agentv.Target) error {
	_, err := agentCommand(t)
	switch {
	case err != nil:
		return err
	case t.Provider == "":
		return errors.New(": it has no `provider`")
	case agentv.IsAgent(t.Provider):
		return fmt.Errorf(": the provider `%s` is not built in; write the agent as a `cli` target, with its command as `command_template`", t.Provider)
	}
	all := append([]string{"cli", "mock"}, providerNames()...)
	return fmt.Errorf(": the provider `%s` is not built in%s", t.Provider, spell.DidYouMeanOr(t.Provider, all, "there are "+diag.JoinList(diag.Backtick(all), "and")))
}

// missingVariablesError says what a target needs of the environment and does not find there.
func missingVariablesError(t agentv.Target) error {
	return fmt.Errorf("not set in the environment or a .env file beside or above the targets file: %s", strings.Join(t.Missing, ", "))
}

// targetCommand is the command of a target, which answers within limit, or by
// default in the time that its definition gives it.
func targetCommand(t agentv.Target, limit time.Duration) (CommandTarget, error) {
	switch {
	case len(t.Missing) > 0:
		return CommandTarget{}, fmt.Errorf(": %w", missingVariablesError(t))
	case strings.TrimSpace(t.Command.Template) == "":
		return CommandTarget{}, errors.New(": it has no `command_template`")
	case t.Batching && strings.Contains(t.Command.Template, "{FILES}"):
		return CommandTarget{}, errors.New(": its `provider_batching` asks for all cases in one go, of which the `{FILES}` are not known before")
	}
	command := CommandTarget{
		Template: t.Command.Template, FilesFormat: t.Command.FilesFormat, Dir: t.Command.Dir,
		Env: t.Command.Env, Keys: t.Command.Secrets,
		Timeout: cmp.Or(limit, toDuration(t.Command.TimeoutSeconds, time.Second), defaultTimeout),
	}
	if err := command.Check(); err != nil {
		return command, fmt.Errorf(": %w", err)
	}
	return command, nil
}

func providerNames() (all []string) {
	for _, p := range wire.Providers() {
		all = append(all, p.Name)
	}
	return all
}

// judgeCase is a question to a judge as a target is asked one.
func judgeCase(q judge.Question) *rubric.Case {
	return &rubric.Case{ID: "judge", Question: strings.TrimSpace(q.System + "\n\n" + q.User)}
}

// CommandRunTarget makes a target of a command.
func CommandRunTarget(command CommandTarget) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		output, err := command.Answer(ctx, Request{Prompt: c.Question, EvalID: c.ID, Files: c.Files})
		if err != nil {
			return grade.Submission{}, err
		}
		sub := parseSubmission(output)
		sub.InputFiles = c.Files
		return sub, nil
	}
}

// unreachableError says that a target cannot be asked, and why.
func unreachableError(format string, args ...any) error {
	return fmt.Errorf(" %w: %w", judge.ErrUnreachable, fmt.Errorf(format, args...))
}

// toDuration is n units, 0 for what is no time at all.
func toDuration(n float64, unit time.Duration) time.Duration {
	switch d := n * float64(unit); {
	case !(d > 0):
		return 0
	case d >= math.MaxInt64:
		return math.MaxInt64
	default:
		return time.Duration(d)
	}
}
