package targets

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
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
	if targetsFile == "" {
		if target, found := findOwnProvider(evalFile, name); found {
			return target, evalFile, nil
		}
	}
	if path == "" {
		return target, "", fmt.Errorf("there is no target `%s`: no targets.yaml was found beside %s %s; %s", name, evalFile, disk.SearchHint(evalFile), cmp.Or(modelNameHint(name), "a target may also be `self`, `mock:TEXT`, `cli:COMMAND`, PROVIDER:MODEL or a file of recorded answers"))
	}
	tree, err := parseTargetsFile(path, targetsFile != "")
	if err != nil {
		return target, path, err
	}
	env := ReadEnvFiles(path)
	var names []string
	for _, t := range agentv.ReadTargets(tree, env.Lookup) {
		if t.Name == name {
			return withCommand(t, evalFile, env), path, nil
		}
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return target, path, noTargetsError(path)
	}
	return target, path, fmt.Errorf("%s: there is no target `%s`%s", path, name,
		spell.DidYouMeanOr(name, names, cmp.Or(modelNameHint(name), "it has "+diag.JoinList(diag.Backtick(names), "and"))))
}

// withCommand returns a target with the command that starts it, if it is a program. The command has the
// variables of .env files, and its directories are relative to the eval file's.
func withCommand(t agentv.Target, evalFile string, env EnvFiles) agentv.Target {
	if t.Command == nil {
		t.Command, _ = agentCommand(t) // define reports why there is none
	}
	c, home := t.Command, filepath.Dir(evalFile)
	if c == nil {
		return t
	}
	c.Env, c.Secrets = append(env.environ(), c.Env...), append(env.secretValues(), c.Secrets...)
	if c.Health != nil {
		c.Health.Dir = disk.ResolveFrom(home, cmp.Or(c.Health.Dir, c.Dir))
	}
	c.Dir = disk.ResolveFrom(home, c.Dir)
	return t
}

// findOwnProvider returns the provider with a name that an eval file defines itself. It parses only
// files with that word, because most have none and some have thousands of cases.
func findOwnProvider(evalFile, name string) (target agentv.Target, found bool) {
	body, err := disk.ReadArgument(evalFile)
	if err != nil || agentv.CaseFormat(evalFile) != "yaml" || !strings.Contains(body, "providers") {
		return target, false
	}
	tree, err := parseTargets(evalFile, body)
	if err != nil {
		return target, false
	}
	env := ReadEnvFiles(evalFile)
	for _, t := range agentv.ReadOwnProviders(tree, env.Lookup) {
		if t.Name == name && t.Provider != name { // one that is only named is defined elsewhere
			return withCommand(t, evalFile, env), true
		}
	}
	return target, false
}

// modelNameHint says how a model is named, for the name of a provider alone; else it is "".
func modelNameHint(name string) string {
	if _, isProvider := wire.FindProvider(name); isProvider {
		return "a model is named as in `" + name + ":MODEL`"
	}
	return ""
}

func noTargetsError(path string) error {
	return fmt.Errorf("%s: has no `targets` or `providers` with a name", path)
}

// parseTargetsFile reads and parses a file with targets; see parseTargets.
func parseTargetsFile(path string, given bool) (*yaml.Tree, error) {
	read := disk.ReadFile
	if given {
		read = disk.ReadArgument
	}
	body, err := read(path)
	if err != nil {
		return nil, err
	}
	return parseTargets(path, body)
}

// parseTargets parses a text with targets. One with syntax errors is not read in part: what is left of
// a command may be another command.
func parseTargets(path, body string) (*yaml.Tree, error) {
	tree := yaml.Parse(text.New(path, body))
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			return nil, fmt.Errorf("%s:%d: %s", path, tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
		}
	}
	return tree, nil
}
