package cli

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/spell"
)

// The names of AgentV's command line, of all versions, for what has another name here.
var (
	agentvCommands = map[string]string{
		"eval": "run", "validate": "check", "grade": "score", "results": "runs", "inspect": "runs show", "trend": "runs compare",
		"compare": "runs compare", "import": "convert", "transpile": "convert",
	}
	agentvOptions = map[string]string{
		"eval-id": "case", "test-id": "case", "provider": "target", "providers": "targets", "transcript": "target",
		"grader-target": "judge", "grader-provider": "judge", "model": "judge", "agent-timeout": "timeout", "budget-usd": "max-cost",
		"o": "out", "output": "out", "artifacts": "out", "output-format": "format", "retry-errors": "resume",
		"json": "format", "exclude-tag": "tag", "target": "judge",
	}
)

// suggestCommand returns "; did you mean `…`?" for the command that has another name in AgentV, or
// else for the nearest of names, or "".
func suggestCommand(name string, names []string) string {
	return spell.Suggestion(cmp.Or(agentvCommands[name], spell.Nearest(name, names)))
}

// suggestOption is like suggestCommand for an option without dashes. isOption reports whether the
// command has an option. Without a suggestion it returns alternative after a semicolon.
func suggestOption(name string, isOption func(string) bool, names []string, alternative string) string {
	if own := agentvOptions[name]; own != "" && isOption(own) {
		return spell.Suggestion("--" + own)
	}
	return spell.DidYouMeanOr("--"+name, names, alternative)
}
