package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// defaultCalls is how many model calls a code judge with `target: true` may make.
const defaultCalls = 50

// codeKeys are the keys of a code judge that the runner knows; all others are
// handed to its program as config.
var codeKeys = []string{"name", "type", "script", "cwd", "weight", "target"}

func (l *losses) codeJudge(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	argv, refused := readScript(n.Get("script"))
	if refused != "" {
		return false, refused
	}
	if len(argv) == 0 {
		return l.skip(ScriptMissing, n)
	}
	g.Code = &rubric.Code{Argv: argv, MaxCalls: Calls(n.Get("target"))}
	g.Code.Dir, _ = n.Get("cwd").Str()
	for _, p := range n.Entries() {
		if key, ok := p.Key.Str(); ok && !slices.Contains(codeKeys, key) {
			if g.Code.Config == nil {
				g.Code.Config = map[string]any{}
			}
			g.Code.Config[key] = p.Value.Any()
		}
	}
	return true, ""
}

// readScript is a program's arguments. A text is a line for the shell.
func readScript(n *yaml.Node) (argv []string, refused string) {
	if line, ok := n.Str(); ok && line != "" {
		return []string{"sh", "-lc", line}, ""
	}
	for _, item := range n.List() {
		arg, ok := item.Str()
		if !ok {
			return nil, ScriptItem
		}
		argv = append(argv, arg)
	}
	return argv, ""
}

// Calls is how many model calls a grader's `target` allows it, nil for none.
func Calls(n *yaml.Node) *int {
	calls := defaultCalls
	if n.IsMap() {
		if limit, ok := n.Get("max_calls").Number(); ok {
			calls = int(limit)
		}
		return &calls
	}
	if yes, _ := n.Bool(); yes {
		return &calls
	}
	return nil
}
