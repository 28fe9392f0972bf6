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

// Contact is what asking a target or judge reaches. It names variables and never shows
// what they hold.
type Contact struct {
	Host    string   `json:"host,omitempty"`    // with `http://` where that goes over the network
	Key     string   `json:"key,omitempty"`     // where the key is from, in words
	Sends   []string `json:"sends,omitempty"`   // other variables that the requests hold, with the setting
	Command string   `json:"command,omitempty"` // the program that runs
	Health  string   `json:"health,omitempty"`  // the host of its healthcheck
}

// String says it in words, as of a subject; "" where nothing is reached.
func (c Contact) String() string {
	var does []string
	if c.Command != "" {
		does = append(does, "runs `"+c.Command+"`")
	}
	if c.Health != "" {
		does = append(does, "asks "+c.Health+" whether it is ready")
	}
	if c.Host != "" {
		with := "without a key"
		if c.Key != "" {
			with = "with " + c.Key
		}
		does = append(does, "asks "+c.Host+" "+with)
	}
	if len(c.Sends) > 0 {
		does = append(does, "sends "+diag.Listed(c.Sends, "and"))
	}
	return diag.Listed(does, "and")
}

// Contact is what a target or judge reaches that [Ports.Judge] or a person's --target
// names; empty where it reaches nothing, or cannot be opened.
func (p *Ports) Contact(ctx context.Context, name, evalFile, targetsFile string) Contact {
	kind, rest, cut := strings.Cut(name, ":")
	if found, ok := wire.Find(kind); ok && cut {
		m := customary(found, rest, p.keys(ctx))
		return Contact{Host: shownHost(cmp.Or(m.Base, found.Base), nil), Key: keyWords(m.Key, m.KeyWords)}
	}
	if kind == "cli" && cut {
		return Contact{Command: CommandTarget{Template: rest}.name()}
	}
	if cut || name == offline.Name {
		return Contact{}
	}
	t, path, err := FindTarget(evalFile, targetsFile, name)
	if err != nil {
		return Contact{}
	}
	return contactOf(t, ReadEnvFiles(path), p.keys(ctx))
}

// contactOf is what asking a target reaches.
func contactOf(t agentv.Target, env EnvFiles, held keys) (c Contact) {
	found, isModel := wire.Find(t.Provider)
	if t.Command == nil {
		t.Command, _ = agentCommand(t)
	}
	switch {
	case isModel:
		m, _ := defined(t, found, held) // what is wrong with it is told by who opens it
		base := cmp.Or(m.Base, baseURL(found, modelSettings(t.Settings).elsewhere()), found.Base)
		c.Host, c.Key = shownHost(base, env.keys()), keyWords(m.Key, m.KeyWords)
		for _, key := range []string{"base_url", "endpoint", "model", "headers"} {
			for _, v := range t.From[key] {
				if said := "`" + v.Name + "` in its `" + key + "`"; (key == "headers" || agentv.IsSecretName(v.Name)) && !slices.Contains(c.Sends, said) {
					c.Sends = append(c.Sends, said)
				}
			}
		}
	case t.Command != nil:
		c.Command = CommandTarget{Template: t.Command.Template}.name()
		if h := t.Command.Health; h != nil && h.Type == "http" {
			c.Health = shownHost(h.URL, env.keys())
		}
	}
	return c
}

// keyWords says where a key is from; "" where there is none.
func keyWords(key, words string) string {
	if key == "" {
		return ""
	}
	return words
}

// shownHost is the host of an address, with its port; with its scheme where requests
// go over the network unencrypted. Secrets in it are hidden.
func shownHost(address string, secrets []string) string {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return ""
	}
	shown := hiding(secrets).Replace(at.Host)
	if _, host := agentv.SplitAddress(address); at.Scheme != "https" && !agentv.IsLocalHost(host) {
		return fmt.Sprintf("%s://%s", at.Scheme, shown)
	}
	return shown
}
