package targets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

// CommandJudge is a judge that runs a command line. The command receives {"system", "user",
// "schema"} as JSON on standard input and prints its reply.
type CommandJudge struct {
	Line    string
	Dir     string
	Timeout time.Duration
	Keys    []string // secrets to redact, in addition to those of the environment
}

// Ask runs the command. If the command cannot run, fails or times out, the judge is unreachable.
// Whatever it prints is its reply.
func (j CommandJudge) Ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	stdin, err := json.Marshal(map[string]any{"system": q.System, "user": q.User, "schema": q.Schema})
	if err != nil {
		return judge.Answer{}, err
	}
	out := process.Run(ctx, process.Command{Argv: process.ShellArgv(j.Line), Dir: j.Dir, Stdin: stdin, Timeout: j.Timeout, Inherit: true, Keys: j.Keys})
	switch {
	case ctx.Err() != nil:
		return judge.Answer{}, context.Cause(ctx)
	case out.Err != nil:
		return judge.Answer{}, fmt.Errorf("the judge's command %w: %w", judge.ErrUnreachable, out.Err)
	case out.Exit != 0:
		return judge.Answer{}, fmt.Errorf("the judge's command %w: it exited with status %d%s", judge.ErrUnreachable, out.Exit, stderrTail(out.Stderr))
	}
	return judge.Answer{Text: strings.TrimSpace(strings.ToValidUTF8(string(out.Stdout), "\uFFFD")), Model: "cli"}, nil
}

const defaultModerationModel = "omni-moderation-latest"

// OpenModerator opens a moderation endpoint by its name: openai or openai:MODEL. It uses OpenAI's
// address and key. Its verdicts are cached like judgements.
func (p *Ports) OpenModerator(ctx context.Context, name string) (metric.Moderate, error) {
	kind, model, _ := strings.Cut(name, ":")
	if kind != wire.Moderation.Name {
		return nil, fmt.Errorf("there is no moderation endpoint `%s`%s", name, spell.DidYouMeanOr(kind, []string{wire.Moderation.Name}, "it is `openai` or `openai:MODEL`"))
	}
	m := environmentModel(wire.Moderation, cmp.Or(model, defaultModerationModel), p.variables(ctx, ""))
	if err := checkModel(m); err != nil {
		return nil, err
	}
	endpoint, err := p.modelJudge(m)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, text string) ([]metric.RubricScore, error) {
		answer, err := endpoint.Ask(ctx, judge.Question{User: text})
		if err != nil {
			return nil, err
		}
		return decodeModeration(answer.Text)
	}, nil
}

func decodeModeration(text string) (scores []metric.RubricScore, err error) {
	var reply struct {
		Checks []struct {
			ID        string
			Satisfied bool
			Reasoning string
		}
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		return nil, fmt.Errorf("its verdicts cannot be read: %w", err)
	}
	for _, c := range reply.Checks {
		value := 0.0
		if c.Satisfied {
			value = 1
		}
		scores = append(scores, metric.RubricScore{ID: c.ID, Score: &value, Rationale: c.Reasoning})
	}
	return scores, nil
}
