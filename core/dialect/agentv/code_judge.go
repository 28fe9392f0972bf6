package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// defaultMaxCalls is how many model calls a code judge with `target: true` may make.
const defaultMaxCalls = 50

// codeJudgeKeys are the keys of a code judge that the runner knows; all others are
// handed to its program as config.
var codeJudgeKeys = []string{"name", "type", "script", "cwd", "weight", "target"}

func (l *loader) readCodeJudge(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	argv, refused := readArgv(n.Get("script"))
	if refused != "" {
		return false, refused
	}
	if len(argv) == 0 {
		return l.skipEvaluator(ScriptMissing, n)
	}
	g.Code = &rubric.Code{Argv: argv, MaxCalls: MaxModelCalls(n.Get("target"))}
	g.Code.Dir, _ = n.Get("cwd").Str()
	for _, p := range n.Entries() {
		if key, ok := p.Key.Str(); ok && !slices.Contains(codeJudgeKeys, key) {
			if g.Code.Config == nil {
				g.Code.Config = map[string]any{}
			}
			g.Code.Config[key] = p.Value.Any()
		}
	}
	return true, ""
}

// readArgv is a program's arguments. A text is a line for the shell.
func readArgv(n *yaml.Node) (argv []string, refused string) {
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

// MaxModelCalls is how many model calls a grader's `target` allows it, nil for none.
func MaxModelCalls(n *yaml.Node) *int {
	calls := defaultMaxCalls
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
