package targets

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/run"
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
		d.Name = RedactCommand(name, evalFile)
		d.command = &CommandTarget{Template: rest, Timeout: cmp.Or(p.Timeout, defaultTimeout), Keys: EnvFileKeys(evalFile)}
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
		var command CommandTarget
		command, err = targetCommand(d.Target, limit)
		command.read = agents[d.Provider].read
		d.command = &command
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
