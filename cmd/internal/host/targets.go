package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FindTarget finds a target by its name: in the targets file given, or else in
// the first that there is beside the eval file or above it.
func FindTarget(evalFile, targetsFile, name string) (agentv.Target, string, error) {
	path := targetsFile
	if path == "" {
		path = targetsBeside(evalFile)
	}
	if path == "" {
		return agentv.Target{}, "", fmt.Errorf("there is no target `%s`: no targets.yaml was found beside %s or above it; "+
			"a target may also be `self`, `mock:TEXT`, `cli:COMMAND` or a file of recorded answers", name, evalFile)
	}
	body, err := Read(path)
	if err != nil {
		return agentv.Target{}, "", err
	}
	targets, missing := agentv.ReadTargets(yaml.Parse(text.New(path, body)), Lookup(evalFile))
	var names []string
	for _, t := range targets {
		if t.Name == name {
			if t.Command != nil && len(missing) > 0 {
				return t, path, fmt.Errorf("%s: not set in the environment or a .env file: %s", path, strings.Join(missing, ", "))
			}
			return t, path, nil
		}
		names = append(names, t.Name)
	}
	return agentv.Target{}, path, fmt.Errorf("%s: there is no target `%s`%s; it has %s", path, name,
		spell.DidYouMean(name, names), strings.Join(names, ", "))
}

func targetsBeside(evalFile string) string {
	for _, dir := range Folders(evalFile) {
		for _, name := range []string{"targets.yaml", "targets.yml", ".agentv/targets.yaml", ".agentv/targets.yml"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// OpenTarget makes a target ready to be asked. A command's folder is that of
// the targets file unless it names another.
func OpenTarget(ctx context.Context, t agentv.Target, targetsFile string) (run.Target, error) {
	switch {
	case t.Provider == "mock":
		return delayed(run.Mock(t.Response), time.Duration(t.DelayMS*float64(time.Millisecond))), nil
	case t.Command == nil:
		return nil, fmt.Errorf("target `%s`: the provider `%s` is not built in; there are `cli` and `mock`", t.Name, t.Provider)
	case t.Command.Template == "":
		return nil, fmt.Errorf("target `%s`: it has no `command_template`", t.Name)
	}
	home := filepath.Dir(targetsFile)
	if err := healthy(ctx, t.Command.Health, home); err != nil {
		return nil, fmt.Errorf("target `%s` %w: its healthcheck failed: %w", t.Name, judge.ErrUnreachable, err)
	}
	return Ask(CommandTarget{
		Template: t.Command.Template, FilesFormat: t.Command.FilesFormat, Dir: within(home, t.Command.Dir),
		Timeout: seconds(t.Command.TimeoutSeconds),
	}), nil
}

// Ask makes a target of a command.
func Ask(command CommandTarget) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		answer, err := command.Answer(ctx, Request{Prompt: c.Question, EvalID: c.ID})
		return grade.Submission{Answer: answer}, err
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

func within(home, dir string) string {
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, dir)
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// patience is how long a healthcheck may take that says nothing of it.
const patience = 30 * time.Second

func healthy(ctx context.Context, h *agentv.Healthcheck, home string) error {
	if h == nil {
		return nil
	}
	wait := patience
	if h.TimeoutSeconds > 0 {
		wait = seconds(h.TimeoutSeconds)
	}
	if h.URL == "" {
		out := Run(ctx, Command{Argv: Shell(h.Template), Dir: within(home, h.Dir), Timeout: wait})
		if out.Err == nil && out.Exit != 0 {
			out.Err = fmt.Errorf("the command exited with status %d%s", out.Exit, tail(out.Stderr))
		}
		return out.Err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL, nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode >= 400 {
		return errors.New(h.URL + " answered " + reply.Status)
	}
	return nil
}
