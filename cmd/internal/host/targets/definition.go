package targets

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// definition is what the name of a target or a judge stands for: a model, a command or a mock. With
// an error, it is filled as far as possible, so that it can be described.
type definition struct {
	agentv.Target // for a name that needs no definition, only the name, as records show it

	file    string // the targets file, or "" for a name that needs no definition
	model   *provider.Model
	command *CommandTarget
	mock    run.Target
	replay  func() (run.Target, error) // reads recorded answers
	agent   *agentServer
	access  run.Access // what asking reaches
}

// wrap says which target an error is about.
func (d definition) wrap(err error) error {
	switch {
	case err == nil:
		return nil
	case d.file == "":
		return fmt.Errorf("target: %w", err)
	}
	return fmt.Errorf("%s: target `%s`: %w", d.file, d.Name, err)
}

// lookup finds what a name stands for: PROVIDER:MODEL, cli:COMMAND, or a target of the targets file.
func (p *Ports) lookup(ctx context.Context, evalFile, name string) (d definition, err error) {
	kind, rest, cut := strings.Cut(name, ":")
	found, isProvider := wire.FindProvider(kind)
	d.Name = name
	switch {
	case cut && kind == "cli":
		keys := ReadEnvFiles(evalFile).secretValues()
		d.Name = process.NewRedactor(keys).Replace(name) // the shell may have expanded keys in it
		d.command = &CommandTarget{Template: rest, Timeout: cmp.Or(p.Timeout, defaultTimeout), Keys: keys}
		d.access.Command = d.command.program()
		return d, nil
	case cut && kind+":" == run.AgentPrefix:
		vars := p.variables(ctx, evalFile)
		token, label := vars.key([]string{agentTokenVariable})
		if err = d.setAgent(rest, token, label, vars, p.Timeout); err == nil {
			d.Name = run.AgentPrefix + strings.Replace(rest, d.agent.Base, d.agent.shown(), 1)
		}
		return d, d.wrap(err)
	case cut && isProvider:
		vars := p.variables(ctx, evalFile)
		m := environmentModel(found, rest, vars)
		d.setModel(m, p.Timeout, vars)
		if p.Plan == nil || m.Key != "" {
			return d, checkModel(m)
		}
		if checkModel(m) != nil { // a plan says which key a run needs
			d.access.Key = "a key, but " + strings.Join(diag.Backtick(found.KeyVars), " or ") + " is not set"
		}
		m.Key = "any"
		return d, checkModel(m)
	}
	return p.findDefinition(ctx, evalFile, p.TargetsFile, name)
}

// findDefinition returns the definition of a target in targetsFile; see [FindTarget].
func (p *Ports) findDefinition(ctx context.Context, evalFile, targetsFile, name string) (d definition, err error) {
	t, path, err := FindTarget(evalFile, targetsFile, name)
	if err != nil {
		return definition{file: path}, err
	}
	d, err = define(evalFile, t, p.variables(ctx, path), p.Timeout)
	d.file, d.access.File = path, path
	return d, d.wrap(err)
}

// define returns the definition of a target for an eval file. A limit that is not 0 overrides the target's timeout.
func define(evalFile string, t agentv.Target, vars variables, limit time.Duration) (d definition, err error) {
	if provider, model, cut := strings.Cut(targetSettings(t.Settings).text("model"), ":"); cut && t.Provider == "agentv" { // its own judge
		t.Provider, t.Settings["model"] = provider, model
	}
	found, isModel := wire.FindProvider(t.Provider)
	if d.Target = t; t.Command == nil {
		d.Command, err = agentCommand(t)
	}
	switch {
	case t.Provider == "mock":
		d.mock, err = mockTarget(t)
	case t.Provider == "replay":
		d.replay, err = newReplay(evalFile, t)
	case t.Provider == agentv.ADKProvider:
		err = d.setAgentTarget(vars, limit)
	case isModel:
		m, err := parseTargetModel(t, found, vars)
		d.setModel(m, limit, vars)
		return d, err
	case err == nil && d.Command == nil:
		err = unknownProviderError(t)
	case err == nil:
		d.access.Command = CommandTarget{Template: d.Command.Template}.program()
		if h := d.Command.Health; h != nil && h.Type == "http" {
			d.access.Health = displayHost(h.URL, vars.secretValues())
		}
		d.command, err = targetCommand(d.Target, limit)
	}
	return d, err
}

// setModel sets the model, and what asking it reaches.
func (d *definition) setModel(m provider.Model, limit time.Duration, vars variables) {
	m.Timeout = cmp.Or(limit, m.Timeout)
	d.model = &m
	d.setAccess(cmp.Or(m.Base, m.Provider.BaseURL), vars.secretValues())
	if m.Key != "" {
		d.access.Key = m.KeyLabel
	}
}

// setAccess sets what requests to an address reach, and the variables that they contain.
func (d *definition) setAccess(at string, secrets []string) {
	d.access.Host = displayHost(at, secrets)
	for _, key := range []string{"base_url", "endpoint", "model", "headers"} {
		for _, v := range d.SettingVariables[key] {
			if use := "`" + v.Name + "` in its `" + key + "`"; (key == "headers" || agentv.IsSecretName(v.Name)) && !slices.Contains(d.access.Sends, use) {
				d.access.Sends = append(d.access.Sends, use)
			}
		}
	}
}

// displayHost returns the host of an address with its port and secrets redacted. It includes the
// scheme if requests cross the network unencrypted.
func displayHost(address string, secrets []string) string {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return ""
	}
	shown := process.NewRedactor(secrets).Replace(at.Host)
	if _, host := agentv.SplitURL(address); at.Scheme != "https" && !agentv.IsLocalHost(host) {
		return fmt.Sprintf("%s://%s", at.Scheme, shown)
	}
	return shown
}

// FindTarget returns the target with a name from targetsFile or, if that is "", from the first
// targets file beside the eval file or above it. It resolves the directories of the target's
// commands: relative to the eval file's, which is the default. path is that of the targets file.
func FindTarget(evalFile, targetsFile, name string) (target agentv.Target, path string, err error) {
	if path = targetsFile; path == "" {
		if target, found := findOwnProvider(evalFile, name); found {
			return target, evalFile, nil
		}
		path = disk.FindTargetsFile(evalFile)
	}
	if path == "" {
		return target, "", fmt.Errorf("there is no target `%s`: no targets.yaml was found beside %s %s; %s", name, evalFile, disk.SearchHint(evalFile), cmp.Or(modelNameHint(name), "a target may also be `self`, `mock:TEXT`, `cli:COMMAND`, PROVIDER:MODEL or a .jsonl file of recorded answers"))
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
	if other, _ := dialect.Recognise(evalFile, tree); other != nil { // its providers are only named
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
