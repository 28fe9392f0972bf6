package targets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/spell"
)

// agent describes how to ask a coding agent's command one question so that it prints what it does and
// its final answer. What the agent may change is for its own configuration and the target's `args` to
// say.
type agent struct {
	program     string      // default program
	args        string      // before the arguments from the target
	options     [][2]string // settings, each with its option up to the value
	prompt      string      // in a form that cannot be parsed as an option
	keyVariable string      // holds the key of `api_key`; for pi, the variable of its model's provider does
	read        func(output string) (grade.Submission, error)
}

var agents = map[string]agent{
	"codex": {
		program: "codex", args: "exec --json --skip-git-repo-check --color never", keyVariable: "CODEX_API_KEY",
		options: [][2]string{{"model", "--model "}, {"sandbox_mode", "--sandbox "}, {"approval_policy", "--config approval_policy="}, {"model_reasoning_effort", "--config model_reasoning_effort="}, {"model_verbosity", "--config model_verbosity="}},
		prompt:  "-- {PROMPT}", read: parseAgentOutput(readCodexEvent),
	},
	"claude-code": {
		program: "claude", args: "--print --output-format stream-json --verbose", keyVariable: "ANTHROPIC_API_KEY",
		options: [][2]string{{"model", "--model "}, {"max_turns", "--max-turns "}, {"max_budget_usd", "--max-budget-usd "}},
		prompt:  "-- {PROMPT}", read: parseAgentOutput(readClaudeEvent),
	},
	"copilot-cli": {
		program: "copilot", args: "--output-format json --no-color", keyVariable: "GITHUB_TOKEN",
		options: [][2]string{{"model", "--model "}},
		prompt:  "--prompt={PROMPT}", read: parseAgentOutput(readCopilotEvent),
	},
	"pi-coding-agent": {
		program: "pi", args: "--print --mode json --no-session",
		options: [][2]string{{"subprovider", "--provider "}, {"model", "--model "}, {"tools", "--tools "}, {"thinking", "--thinking "}},
		prompt:  shellQuote(" ") + "{PROMPT}", read: parseAgentOutput(readPiEvent),
	},
}

// unquotedWord matches a program that needs no quotes, so that messages can show it as written.
var unquotedWord = pattern.New(`^[A-Za-z0-9_./~+-]+$`)

// agentCommand returns the command line for an agent's target, or nil if the provider is not an
// agent. A setting that the command line cannot express is an error.
func agentCommand(t agentv.Target) (*agentv.Command, error) {
	a, ok := agents[t.Provider]
	if !ok {
		return nil, nil
	}
	s := targetSettings(t.Settings)
	if err := a.checkSettings(s); err != nil {
		return nil, err
	}
	program := s.list("executable")
	if len(program) == 0 {
		program = []string{cmp.Or(s.text("executable", "variant"), a.program)}
	}
	for i, word := range program {
		if !unquotedWord().MatchString(word) {
			program[i] = quoteLiteral(word)
		}
	}
	line := strings.Join(program, " ") + " " + a.args
	for _, o := range a.options {
		if value := cmp.Or(s.text(o[0]), strings.Join(s.list(o[0]), ",")); value != "" {
			line += " " + o[1] + quoteLiteral(value)
		}
	}
	for _, arg := range s.list("args") {
		line += " " + quoteLiteral(arg)
	}
	if text := s.text("args"); text != "" {
		line += " " + text
	}
	prompt := a.prompt
	if system := s.text("system_prompt"); system != "" {
		prompt = strings.Replace(prompt, "{PROMPT}", quoteLiteral(system+"\n\n")+"{PROMPT}", 1)
	}
	c := &agentv.Command{Template: line + " " + prompt, Dir: s.text("cwd"), TimeoutSeconds: s.number("timeout_seconds", 0)}
	if key := s.text("api_key"); key != "" { // every user of the machine can read a program's arguments
		name := a.keyVariable
		if found, ok := wire.FindProvider(cmp.Or(s.text("subprovider"), "gemini")); name == "" && ok {
			name = found.KeyVars[0]
		}
		if name == "" {
			return nil, fmt.Errorf("no variable is known for its `api_key`; set the key of `%s` in the environment", s.text("subprovider"))
		}
		c.Env, c.Secrets = []string{name + "=" + key}, []string{key}
	}
	return c, nil
}

// checkSettings returns an error for a setting that cannot be passed to the agent's command.
func (a agent) checkSettings(s targetSettings) error {
	switch {
	case s.has("workspace_template"):
		return errors.New("its `workspace_template` is not supported; name a folder as `cwd`")
	case s.has("base_url"), s.has("endpoint"), s["byok"] != nil:
		return fmt.Errorf("its address of a model is not passed on; set it in the configuration of `%s`", a.program)
	}
	if bypass := s.text("bypass_permissions"); strings.EqualFold(bypass, "true") {
		return errors.New("its `bypass_permissions` lets it change anything; if you mean that, write `args: [--dangerously-skip-permissions]`")
	}
	if _, pairs := s["args"].(map[string]any); pairs {
		return errors.New("its `args` is neither a text nor a list")
	}
	for _, key := range []string{"tools", "max_turns", "max_budget_usd", "sandbox_mode", "approval_policy", "model_reasoning_effort", "model_verbosity", "subprovider"} {
		takes := slices.ContainsFunc(a.options, func(o [2]string) bool { return o[0] == key })
		switch isSet := s.has(key) || len(s.list(key)) > 0; {
		case s[key] != nil && !takes:
			return fmt.Errorf("its `%s` has no effect: `%s` has no option for it; set limits in `args`", key, a.program)
		case s[key] != nil && !isSet:
			return fmt.Errorf("its `%s` is empty", key)
		}
	}
	return s.validate()
}

// quoteLiteral is [shellQuote] for a text whose own placeholders, such as {PROMPT}, must not be
// expanded: the expansion would be outside the quotes.
func quoteLiteral(text string) string {
	quoted := shellQuote(text)
	quoteMark := quoted[:1]
	return agentv.Placeholder().ReplaceAllString(quoted, "{"+quoteMark+"${1}"+quoteMark+"}")
}

// ask runs the command as a judge. It receives {"system", "user", "schema"} as JSON on standard input, and
// whatever it prints is its reply. If it cannot run, fails or times out, the judge is unreachable.
func (t CommandTarget) ask(ctx context.Context, q judge.Question) (judge.Answer, error) {
	stdin, err := json.Marshal(map[string]any{"system": q.System, "user": q.User, "schema": q.Schema})
	if err != nil {
		return judge.Answer{}, err
	}
	out, err := process.Run(ctx, process.Command{Argv: process.ShellArgv(t.Template), Stdin: stdin, Timeout: t.Timeout, Inherit: true, Keys: t.Keys})
	switch {
	case ctx.Err() != nil:
		return judge.Answer{}, context.Cause(ctx)
	case err != nil:
		return judge.Answer{}, fmt.Errorf("the judge's command %w: %w", judge.ErrUnreachable, err)
	case out.Code != 0:
		return judge.Answer{}, fmt.Errorf("the judge's command %w: it exited with status %d%s", judge.ErrUnreachable, out.Code, stderrTail(out.Stderr))
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
