package targets

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FindTarget returns the target with a name from targetsFile or, if that is "", from the first
// targets file beside the eval file or above it. It resolves the directories of the target's
// commands: relative to the eval file's, which is the default. path is that of the targets file.
func FindTarget(evalFile, targetsFile, name string) (target agentv.Target, path string, err error) {
	if path = targetsFile; path == "" {
		path = disk.FindTargetsFile(evalFile)
	}
	if path == "" {
		return target, "", fmt.Errorf("there is no target `%s`: no targets.yaml was found beside %s %s; %s", name, evalFile, disk.SearchHint(evalFile), cmp.Or(modelNameHint(name), "a target may also be `self`, `mock:TEXT`, `cli:COMMAND`, PROVIDER:MODEL or a file of recorded answers"))
	}
	env := ReadEnvFiles(path)
	targets, err := readTargets(path, targetsFile != "", env.Lookup)
	if err != nil {
		return target, path, err
	}
	var names []string
	for _, t := range targets {
		if t.Name == name {
			if t.Command == nil {
				t.Command, _ = agentCommand(t) // define reports why there is none
			}
			resolveCommand(t.Command, evalFile, env)
			return t, path, nil
		}
		names = append(names, t.Name)
	}
	return target, path, fmt.Errorf("%s: there is no target `%s`%s", path, name,
		spell.DidYouMeanOr(name, names, cmp.Or(modelNameHint(name), "it has "+diag.JoinList(diag.Backtick(names), "and"))))
}

// modelNameHint says how a model is named, for the name of a provider alone; else it is "".
func modelNameHint(name string) string {
	if _, isProvider := wire.FindProvider(name); isProvider {
		return "a model is named as in `" + name + ":MODEL`"
	}
	return ""
}

// readTargets reads the targets of a file. A file with syntax errors is not read in part: what is
// left of a command may be another command.
func readTargets(path string, given bool, lookup func(string) (agentv.Variable, bool)) ([]agentv.Target, error) {
	tree, err := parseTargetsFile(path, given)
	if err != nil {
		return nil, err
	}
	targets := agentv.ReadTargets(tree, lookup)
	if len(targets) == 0 {
		return nil, noTargetsError(path)
	}
	return targets, nil
}

func noTargetsError(path string) error { return fmt.Errorf("%s: has no `targets` with a name", path) }

func parseTargetsFile(path string, given bool) (*yaml.Tree, error) {
	read := disk.ReadFile
	if given {
		read = disk.ReadArgument
	}
	body, err := read(path)
	if err != nil {
		return nil, err
	}
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			return nil, fmt.Errorf("%s:%d: %s", path, tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
		}
	}
	return tree, nil
}

func resolveCommand(c *agentv.Command, evalFile string, env EnvFiles) {
	if c == nil {
		return
	}
	home := filepath.Dir(evalFile)
	c.Env, c.Secrets = env.environ(), env.secretValues()
	c.Dir = disk.ResolveFrom(home, c.Dir)
	if c.Health == nil {
		return
	}
	if c.Health.Dir == "" {
		c.Health.Dir = c.Dir
	} else {
		c.Health.Dir = disk.ResolveFrom(home, c.Health.Dir)
	}
}

// agent describes how to ask a coding agent's command one question so that it prints only its
// final answer. What the agent may change is for its own configuration and the target's `args` to
// say.
type agent struct {
	program string      // default program
	args    string      // before the arguments from the target
	options [][2]string // settings, each with its option up to the value
	prompt  string      // in a form that cannot be parsed as an option
}

var agents = map[string]agent{
	"codex": {
		"codex", "exec --skip-git-repo-check --color never --output-last-message {OUTPUT_FILE}",
		[][2]string{{"model", "--model "}, {"sandbox_mode", "--sandbox "}, {"approval_policy", "--config approval_policy="}}, "-- {PROMPT}",
	},
	"claude-code": {
		"claude", "--print",
		[][2]string{{"model", "--model "}, {"max_turns", "--max-turns "}, {"max_budget_usd", "--max-budget-usd "}}, "-- {PROMPT}",
	},
	"copilot-cli": {
		"copilot", "--silent --no-color",
		[][2]string{{"model", "--model "}}, "--prompt={PROMPT}",
	},
	"pi-coding-agent": {
		"pi", "--print --no-session",
		[][2]string{{"pi_provider", "--provider "}, {"model", "--model "}, {"tools", "--tools "}, {"thinking", "--thinking "}}, shellQuote(" ") + "{PROMPT}",
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
	program := cmp.Or(s.text("executable"), a.program)
	if !unquotedWord().MatchString(program) {
		program = quoteLiteral(program)
	}
	line := program + " " + a.args
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
	return &agentv.Command{Template: line + " " + prompt, Dir: s.text("cwd"), TimeoutSeconds: s.number("timeout_seconds", 0)}, nil
}

// checkSettings returns an error for a setting that cannot be passed to the agent's command.
func (a agent) checkSettings(s targetSettings) error {
	switch {
	case s.has("workspace_template"):
		return errors.New("its `workspace_template` is not supported; name a folder as `cwd`")
	case s.has("api_key"):
		return errors.New("its `api_key` would be an argument of a program, which other users can read; set it in the environment")
	}
	if _, pairs := s["args"].(map[string]any); pairs {
		return errors.New("its `args` is neither a text nor a list")
	}
	for _, key := range []string{"tools", "max_turns", "max_budget_usd", "sandbox_mode", "approval_policy"} {
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
	return placeholder().ReplaceAllString(quoted, "{"+quoteMark+"${1}"+quoteMark+"}")
}
