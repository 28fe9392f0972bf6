package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/pattern"
)

// agent is how a coding agent's own program is asked one question, so that its last word
// is all that comes back. What it may change is its own settings' to say, and its
// target's `args`.
type agent struct {
	program string      // unless the target names another
	args    string      // before what the target says
	options [][2]string // settings, and the options that say them, up to the value
	prompt  string      // never taken for an option, whatever it begins with
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

// unquotedWord is a program that needs no quotes, so that messages call it as it is written.
var unquotedWord = pattern.New(`^[A-Za-z0-9_./~+-]+$`)

// agentCommand is the command that an agent's target stands for; nil if it is none, or
// none that a command asks. What it says and a command cannot do is told, and not left out.
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

// checkSettings is what a target says that its agent's program cannot be told.
func (a agent) checkSettings(s targetSettings) error {
	switch {
	case s.has("workspace_template"):
		return errors.New(": its `workspace_template` is copied by nobody; name a folder as `cwd`")
	case s.has("api_key"):
		return errors.New(": its `api_key` would stand among the arguments of a program, where others can read it; set it in the environment")
	}
	if _, pairs := s["args"].(map[string]any); pairs {
		return errors.New(": its `args` is neither a text nor a list")
	}
	for _, key := range []string{"tools", "max_turns", "max_budget_usd", "sandbox_mode", "approval_policy"} {
		takes := slices.ContainsFunc(a.options, func(o [2]string) bool { return o[0] == key })
		switch isSet := s.has(key) || len(s.list(key)) > 0; {
		case s[key] != nil && !takes:
			return fmt.Errorf(": its `%s` would limit nothing: `%s` is not told of it; say in `args` what may be done", key, a.program)
		case s[key] != nil && !isSet:
			return fmt.Errorf(": its `%s` names none", key)
		}
	}
	if err := s.validate(); err != nil {
		return fmt.Errorf(": %w", err)
	}
	return nil
}

// quoteLiteral is [quote] for a text in which nothing is to be filled in, although it may
// speak of {PROMPT}: what is filled in there would be outside the quotes.
func quoteLiteral(text string) string {
	quoted := shellQuote(text)
	quoteMark := quoted[:1]
	return placeholder().ReplaceAllString(quoted, "{"+quoteMark+"${1}"+quoteMark+"}")
}
