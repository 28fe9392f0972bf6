package host

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

// Access is what asking a target or judge reaches. It names variables and never shows
// what they hold.
type Access struct {
	Host    string   `json:"host,omitempty"`    // with `http://` where that goes over the network
	Key     string   `json:"key,omitempty"`     // where the key is from, in words
	Sends   []string `json:"sends,omitempty"`   // other variables that the requests hold, with the setting
	Command string   `json:"command,omitempty"` // the program that runs
	Health  string   `json:"health,omitempty"`  // the host of its healthcheck
}

// String says it in words, as of a subject; "" where nothing is reached.
func (a Access) String() string {
	var does []string
	if a.Command != "" {
		does = append(does, "runs `"+a.Command+"`")
	}
	if a.Health != "" {
		does = append(does, "asks "+a.Health+" whether it is ready")
	}
	if a.Host != "" {
		with := "without a key"
		if a.Key != "" {
			with = "with " + a.Key
		}
		does = append(does, "asks "+a.Host+" "+with)
	}
	if len(a.Sends) > 0 {
		does = append(does, "sends "+diag.JoinList(a.Sends, "and"))
	}
	return diag.JoinList(does, "and")
}

// Access is what a target or judge reaches that [Ports.Judge] or a person's --target
// names; empty where it reaches nothing, or cannot be opened.
func (p *Ports) Access(ctx context.Context, name, evalFile, targetsFile string) Access {
	kind, rest, cut := strings.Cut(name, ":")
	if found, ok := wire.FindProvider(kind); ok && cut {
		m := environmentModel(found, rest, p.keyLookup(ctx))
		return Access{Host: displayHost(cmp.Or(m.Base, found.BaseURL), nil), Key: describeKey(m.Key, m.KeyLabel)}
	}
	if kind == "cli" && cut {
		return Access{Command: CommandTarget{Template: rest}.program()}
	}
	if cut || name == offline.Name {
		return Access{}
	}
	t, path, err := FindTarget(evalFile, targetsFile, name)
	if err != nil {
		return Access{}
	}
	return targetAccess(t, ReadEnvFiles(path), p.keyLookup(ctx))
}

// targetAccess is what asking a target reaches.
func targetAccess(t agentv.Target, env EnvFiles, lookup keyLookup) (a Access) {
	found, isModel := wire.FindProvider(t.Provider)
	if t.Command == nil {
		t.Command, _ = agentCommand(t)
	}
	switch {
	case isModel:
		m, _ := parseTargetModel(t, found, lookup) // what is wrong with it is told by who opens it
		base := cmp.Or(m.Base, normalizeBaseURL(found, targetSettings(t.Settings).baseURL()), found.BaseURL)
		a.Host, a.Key = displayHost(base, env.secretValues()), describeKey(m.Key, m.KeyLabel)
		for _, key := range []string{"base_url", "endpoint", "model", "headers"} {
			for _, v := range t.SettingVariables[key] {
				if use := "`" + v.Name + "` in its `" + key + "`"; (key == "headers" || agentv.IsSecretName(v.Name)) && !slices.Contains(a.Sends, use) {
					a.Sends = append(a.Sends, use)
				}
			}
		}
	case t.Command != nil:
		a.Command = CommandTarget{Template: t.Command.Template}.program()
		if h := t.Command.Health; h != nil && h.Type == "http" {
			a.Health = displayHost(h.URL, env.secretValues())
		}
	}
	return a
}

// describeKey says where a key is from; "" where there is none.
func describeKey(key, label string) string {
	if key == "" {
		return ""
	}
	return label
}

// displayHost is the host of an address, with its port; with its scheme where requests
// go over the network unencrypted. Secrets in it are hidden.
func displayHost(address string, secrets []string) string {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return ""
	}
	shown := newRedactor(secrets).Replace(at.Host)
	if _, host := agentv.SplitURL(address); at.Scheme != "https" && !agentv.IsLocalHost(host) {
		return fmt.Sprintf("%s://%s", at.Scheme, shown)
	}
	return shown
}
