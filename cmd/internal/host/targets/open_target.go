package targets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
)

// defaultTimeout is the time for one answer of a command if its definition sets none, as in the
// reference implementation.
const defaultTimeout = 2 * time.Minute

// OpenTarget opens a target for an eval file by its name: cli:COMMAND, PROVIDER:MODEL, adk:URL, replay:FILE,
// the name of a JSONL file, or that of a target in the targets file. An error wraps
// [judge.ErrUnreachable] if the definition is valid but the healthcheck fails.
func (p *Ports) OpenTarget(ctx context.Context, evalFile, name string) (opened run.OpenedTarget, err error) {
	path, isReplay := strings.CutPrefix(name, "replay:")
	switch {
	case !isReplay && (!strings.HasSuffix(name, ".jsonl") || strings.HasPrefix(name, "cli:")):
	case resultstore.IsTranscript(path):
		opened.Name = filepath.Base(path)
		opened.Target, err = resultstore.Replay{Path: path}.OpenTranscripts()
		return opened, err
	default:
		answers, err := resultstore.ReadAnswers(path, evalFile)
		return run.OpenedTarget{Target: answers.Respond, Name: filepath.Base(path), Fixed: true}, err
	}
	d, err := p.lookup(ctx, evalFile, name)
	opened = run.OpenedTarget{Name: cmp.Or(d.Name, name), Judge: d.JudgeTarget, Fallbacks: d.Fallbacks, Workers: d.Workers, Access: d.access,
		Fixed: d.mock != nil || d.replay != nil || d.Batching && d.Provider == "cli"}
	switch {
	case err == nil:
		if opened.Target, err = p.open(ctx, d); d.agent != nil && p.Plan == nil {
			opened.Agent = d.agent.open
		}
	case d.model != nil && d.file == "":
		err = d.wrap(err)
	}
	return opened, err
}

// open opens a definition. A plan asks nothing; only mocks have a response then.
func (p *Ports) open(ctx context.Context, d definition) (target run.Target, err error) {
	p.noteIgnoredVariables(d)
	switch {
	case d.mock != nil:
		target = d.mock
	case d.replay != nil:
		target, err = d.replay()
	case d.model != nil:
		target, err = p.modelTarget(*d.model)
	case d.agent != nil:
		d.agent.client = p.providerClient()
		if target = d.agent.answer; p.Plan == nil {
			err = d.agent.connect(ctx)
		}
	default:
		if err = d.command.Check(); err == nil && p.Plan == nil && d.Command != nil {
			err = checkHealth(ctx, d.Command.Health, *d.command)
		}
		if target = CommandRunTarget(*d.command); d.Batching && d.Provider == "cli" {
			target = batchTarget(*d.command)
		}
	}
	if err != nil {
		return nil, d.wrap(err)
	}
	if p.Plan != nil {
		target = run.MockTarget(d.Response)
	}
	return target, nil
}

func unknownProviderError(t agentv.Target) error {
	switch {
	case len(t.Missing) > 0:
		return missingVariablesError(t)
	case t.UseProblem != "":
		return errors.New(t.UseProblem)
	case t.Provider == "":
		return errors.New("it has no `provider`")
	case agentv.UnsupportedProvider(t.Provider) != "":
		return fmt.Errorf("the provider `%s` is not supported: %s", t.Provider, agentv.UnsupportedProvider(t.Provider))
	}
	all := append([]string{"cli", "mock", "replay"}, wire.Names()...)
	return fmt.Errorf("the provider `%s` is not built in%s", t.Provider, spell.DidYouMeanOr(t.Provider, all, "there are "+diag.JoinList(diag.Backtick(all), "and")))
}

func missingVariablesError(t agentv.Target) error {
	return fmt.Errorf("not set in the environment or a .env file beside or above the targets file: %s", strings.Join(t.Missing, ", "))
}

// targetCommand returns the command of a target. Its timeout is limit, or that of the definition.
func targetCommand(t agentv.Target, limit time.Duration) (*CommandTarget, error) {
	switch {
	case len(t.Missing) > 0:
		return nil, missingVariablesError(t)
	case strings.TrimSpace(t.Command.Template) == "":
		return nil, errors.New("it has no `command_template`")
	case math.IsNaN(t.Command.TimeoutSeconds) || t.Command.Health != nil && math.IsNaN(t.Command.Health.TimeoutSeconds):
		return nil, errors.New("its `timeout_seconds` is not a number")
	case t.Batching && strings.Contains(t.Command.Template, "{FILES}"):
		return nil, errors.New("its command uses `{FILES}`, which differ by case, but `provider_batching` runs all cases at once")
	}
	command := &CommandTarget{
		Template: t.Command.Template, FilesFormat: t.Command.FilesFormat, Dir: t.Command.Dir,
		Env: t.Command.Env, Keys: t.Command.Secrets, read: agents[t.Provider].read,
		Timeout: cmp.Or(limit, toDuration(t.Command.TimeoutSeconds, time.Second), defaultTimeout),
	}
	return command, command.Check()
}

// CommandRunTarget returns a target that runs a command.
func CommandRunTarget(command CommandTarget) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		req := Request{Prompt: c.Question, Messages: c.Input, Guidelines: rubric.GuidelineText(c.Input), EvalID: c.ID, Files: c.Files}
		if len(c.Input) > 0 { // a command opens files by itself
			req.Prompt = rubric.NamedFilesText(c.Input)
		}
		output, err := command.Answer(ctx, req)
		if err != nil {
			return grade.Submission{}, err
		}
		if command.read == nil {
			return parseSubmission(output), nil
		}
		sub, err := command.read(output)
		if err != nil {
			err = fmt.Errorf("`%s`: %w", command.program(), err)
		}
		return sub, err
	}
}

// toDuration returns n units, at least 0 and at most the largest duration.
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

// mockTarget returns a target that gives its configured response and tool calls, after its
// configured delay.
func mockTarget(t agentv.Target) (run.Target, error) {
	var events []struct {
		Type, Name    string
		Input, Output any
	}
	encoded, err := json.Marshal(t.Trace)
	if err != nil || json.Unmarshal(encoded, &events) != nil {
		return nil, errors.New("its `trace` is not a list of events")
	}
	sub := grade.Submission{Answer: t.Response}
	for _, e := range events {
		if e.Type == "tool_call" {
			sub.ToolCalls = append(sub.ToolCalls, grade.ToolCall{Tool: e.Name, Input: e.Input, Output: e.Output})
		}
	}
	minDelay, maxDelay := toDuration(t.DelayMS[0], time.Millisecond), toDuration(t.DelayMS[1], time.Millisecond)
	return func(ctx context.Context, _ *rubric.Case) (grade.Submission, error) {
		if maxDelay <= 0 {
			return sub, nil
		}
		if err := host.Sleep(ctx, minDelay+time.Duration(rand.Float64()*float64(maxDelay-minDelay))); err != nil {
			return grade.Submission{}, err
		}
		return sub, nil
	}, nil
}

// checkHealth asks a command's target whether it is ready. Unless the check sets a timeout, it
// has the target's.
func checkHealth(ctx context.Context, check *agentv.Healthcheck, target CommandTarget) error {
	if check == nil {
		return nil
	}
	wait := cmp.Or(toDuration(check.TimeoutSeconds, time.Second), target.Timeout)
	var err error
	switch {
	case check.Type == "http" && check.URL != "":
		err = getHealthURL(ctx, check.URL, wait)
	case check.Type == "command" && check.Template != "":
		err = runHealthCommand(ctx, CommandTarget{Template: check.Template, Dir: check.Dir, Timeout: wait, Env: target.Env, Keys: target.Keys})
	default:
		return errors.New("its `healthcheck` needs a `type`, either `http` with a `url` or `command` with a `command_template`")
	}
	if err != nil {
		return fmt.Errorf("it %w: its healthcheck failed: %w", judge.ErrUnreachable, err)
	}
	return nil
}

// runHealthCommand runs a command that must exit with status 0.
func runHealthCommand(ctx context.Context, t CommandTarget) error {
	dir, err := newAnswerDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command, err := t.newCommand(Request{EvalID: "healthcheck"}, dir)
	if err != nil {
		return err
	}
	switch out, err := process.Run(ctx, command); {
	case err != nil:
		return fmt.Errorf("%w%s", err, stderrTail(out.Stderr))
	case out.Code != 0:
		return fmt.Errorf("the command exited with status %d%s", out.Code, stderrTail(out.Stderr))
	}
	return nil
}

// getHealthURL requests a URL that must answer with success. Errors omit its query, which may
// hold a key.
func getHealthURL(ctx context.Context, address string, wait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wait, fmt.Errorf("timed out after %s", wait))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return errors.New("its `url` is invalid")
	}
	displayURL := req.URL.Scheme + "://" + req.URL.Host + req.URL.Path
	reply, err := http.DefaultClient.Do(req)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		if call, ok := errors.AsType[*url.Error](err); ok {
			err = call.Err
		}
		return fmt.Errorf("%s: %w", displayURL, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode < 200 || reply.StatusCode > 299 {
		return fmt.Errorf("%s answered %s", displayURL, reply.Status)
	}
	return nil
}

// newReplay returns a function that opens the recorded answers of a target. Their file is relative to the
// eval file, and they are of its suite unless the target names another one.
func newReplay(evalFile string, t agentv.Target) (func() (run.Target, error), error) {
	s := targetSettings(t.Settings)
	fixtures, transcripts := s.text("fixtures"), s.text("transcripts")
	r := resultstore.Replay{
		Path: cmp.Or(fixtures, transcripts), SourceTarget: s.text("source_target"),
		Suite: s.text("suite"), EvalPath: s.text("eval_path"), Variant: s.text("variant"),
	}
	switch {
	case len(t.Missing) > 0:
		return nil, missingVariablesError(t)
	case s.has("execution_traces"):
		return nil, errors.New("its `execution_traces` are not supported; write `fixtures` or `transcripts`")
	case (fixtures == "") == (transcripts == ""):
		return nil, errors.New("it needs either `fixtures` or `transcripts`")
	case r.SourceTarget == "":
		return nil, errors.New("it needs the `source_target` whose answers it gives")
	case !filepath.IsAbs(r.Path):
		r.Path = filepath.Join(filepath.Dir(evalFile), r.Path)
	}
	return func() (run.Target, error) {
		if fixtures == "" {
			return r.OpenTranscripts()
		}
		body, err := disk.ReadFile(evalFile)
		if err != nil {
			return nil, err
		}
		r.Suite = cmp.Or(r.Suite, analysis.Of(host.NewInput(evalFile, body)).Suite().Name)
		if r.EvalFile, err = filepath.Abs(evalFile); err != nil {
			return nil, err
		}
		return r.OpenFixtures()
	}, nil
}
