package host

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FindTarget finds a target by its name: in the targets file given, or else in
// the first that there is beside the eval file or above it. The folders of its
// commands are settled: the eval file's own unless they name another, and what
// they name is seen from there. The path is that of the targets file.
func FindTarget(evalFile, targetsFile, name string) (target agentv.Target, path string, err error) {
	if path = targetsFile; path == "" {
		path = findTargetsFile(evalFile)
	}
	if path == "" {
		return target, "", fmt.Errorf("there is no target `%s`: no targets.yaml was found beside %s %s; %s", name, evalFile, searchHint(evalFile),
			cmp.Or(judgeNameHint(name), "a target may also be `self`, `mock:TEXT`, `cli:COMMAND` or a file of recorded answers"))
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
				t.Command, _ = agentCommand(t) // why there is none is told by who opens it
			}
			resolveCommand(t.Command, evalFile, env)
			return t, path, nil
		}
		names = append(names, t.Name)
	}
	return target, path, fmt.Errorf("%s: there is no target `%s`%s", path, name,
		spell.DidYouMeanOr(name, names, cmp.Or(judgeNameHint(name), "it has "+diag.JoinList(diag.Backtick(names), "and"))))
}

// judgeNameHint says how a model becomes a target that is named as only judges are, or what
// model a provider lacks; "" where the name is none of a provider's.
func judgeNameHint(name string) string {
	kind, _, cut := strings.Cut(name, ":")
	_, ok := wire.FindProvider(kind)
	switch {
	case !ok:
		return ""
	case !cut:
		return "a model that judges is named as in `" + kind + ":MODEL`, and one that answers is defined in a targets.yaml"
	}
	return "that is a name for a judge: a model that answers is defined in a targets.yaml"
}

// readTargets reads a file that has targets. One that is broken is not read in
// part: what is left of a command may be another command.
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

// parseTargetsFile reads a targets file that was found, or given on the command line.
func parseTargetsFile(path string, given bool) (*yaml.Tree, error) {
	read := ReadFile
	if given {
		read = ReadArgument
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

func findTargetsFile(evalFile string) string {
	for _, dir := range SearchFolders(evalFile) {
		for _, name := range []string{"targets.yaml", "targets.yml", ".agentv/targets.yaml", ".agentv/targets.yml"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

func resolveCommand(c *agentv.Command, evalFile string, env EnvFiles) {
	if c == nil {
		return
	}
	home := filepath.Dir(evalFile)
	c.Env, c.Secrets = env.environ(), env.secretValues()
	c.Dir = resolveFrom(home, c.Dir)
	if c.Health == nil {
		return
	}
	if c.Health.Dir == "" {
		c.Health.Dir = c.Dir
	} else {
		c.Health.Dir = resolveFrom(home, c.Health.Dir)
	}
}

// resolveFrom is dir as seen from home, which it is if it is not said.
func resolveFrom(home, dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, dir)
}
