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
	words   string      // before what the target says
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
		[][2]string{{"pi_provider", "--provider "}, {"model", "--model "}, {"tools", "--tools "}, {"thinking", "--thinking "}}, quote(" ") + "{PROMPT}",
	},
}

// bare is a program that needs no quotes, so that messages call it as it is written.
var bare = pattern.Of(`^[A-Za-z0-9_./~+-]+$`)

// agentCommand is the command that an agent's target stands for; nil if it is none, or
// none that a command asks. What it says and a command cannot do is told, and not left out.
func agentCommand(t agentv.Target) (*agentv.Command, error) {
	as, ok := agents[t.Provider]
	if !ok {
		return nil, nil
	}
	s := modelSettings(t.Settings)
	if err := as.unable(s); err != nil {
		return nil, err
	}
	program := cmp.Or(s.text("executable"), as.program)
	if !bare().MatchString(program) {
		program = literal(program)
	}
	line := program + " " + as.words
	for _, o := range as.options {
		if value := cmp.Or(s.text(o[0]), strings.Join(s.list(o[0]), ",")); value != "" {
			line += " " + o[1] + literal(value)
		}
	}
	for _, arg := range s.list("args") {
		line += " " + literal(arg)
	}
	if text := s.text("args"); text != "" {
		line += " " + text
	}
	prompt := as.prompt
	if system := s.text("system_prompt"); system != "" {
		prompt = strings.Replace(prompt, "{PROMPT}", literal(system+"\n\n")+"{PROMPT}", 1)
	}
	return &agentv.Command{Template: line + " " + prompt, Dir: s.text("cwd"), TimeoutSeconds: s.number("timeout_seconds", 0)}, nil
}

// unable is what a target says that its agent's program cannot be told.
func (as agent) unable(s modelSettings) error {
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
		takes := slices.ContainsFunc(as.options, func(o [2]string) bool { return o[0] == key })
		switch said := s.has(key) || len(s.list(key)) > 0; {
		case s[key] != nil && !takes:
			return fmt.Errorf(": its `%s` would limit nothing: `%s` is not told of it; say in `args` what may be done", key, as.program)
		case s[key] != nil && !said:
			return fmt.Errorf(": its `%s` names none", key)
		}
	}
	if err := s.fault(); err != nil {
		return fmt.Errorf(": %w", err)
	}
	return nil
}

// literal is [quote] for a text in which nothing is to be filled in, although it may
// speak of {PROMPT}: what is filled in there would be outside the quotes.
func literal(text string) string {
	quoted := quote(text)
	mark := quoted[:1]
	return placeholder().ReplaceAllString(quoted, "{"+mark+"${1}"+mark+"}")
}
