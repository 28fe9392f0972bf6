package targets

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// environmentModel returns a provider's model at the address and with the key that variables set.
// A key from elsewhere is not sent to an address from a .env file, which may come with an eval file.
func environmentModel(p wire.Provider, name string, vars variables) provider.Model {
	m := provider.Model{Provider: p, Model: wire.Model{Name: name}, Retry: provider.DefaultRetry}
	base := vars.first(p.BaseVars)
	m.Base = normalizeBaseURL(p, base.Value)
	if base.Value == "" || base.Source == environmentSource {
		m.Key, m.KeyLabel = vars.key(p.KeyVars)
	} else {
		vars.stored = nil
		if key := vars.first(p.KeyVars); key.Source == base.Source {
			m.Key, m.KeyLabel = vars.key(p.KeyVars)
		} else {
			m.KeyLabel = noKeyText
		}
	}
	if p.Name == wire.Azure.Name {
		m.Version = vars.first([]string{"AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"}).Value
	}
	return m
}

// AvailableProviders lists the providers for which the process's environment has an address and a
// key, as names for [Ports.OpenJudge] with MODEL for the model. It sends no request.
func AvailableProviders() (names []string) {
	for _, p := range wire.Providers() {
		if m := environmentModel(p, "MODEL", variables{}); checkModel(m) == nil {
			names = append(names, p.Name+":"+m.Name)
		}
	}
	return names
}

// variables are those of the process, and then of .env files. The zero value has no .env files.
type variables struct {
	EnvFiles
	stored func(name string) string // returns the key that the user's client holds, or ""; may be nil
}

// variables returns the variables for models that a file names. Without a file there are no .env files.
func (p *Ports) variables(ctx context.Context, file string) variables {
	var vars variables
	if file != "" {
		vars.EnvFiles = ReadEnvFiles(file)
	}
	if p.Key != nil {
		vars.stored = func(name string) string { return p.Key(ctx, name) }
	}
	return vars
}

// key returns the first key held under one of the given variable names, and a label that says where
// it is from. A key that the user's client holds comes first.
func (v variables) key(names []string) (key, label string) {
	for _, name := range names {
		if v.stored == nil {
			break
		}
		if key := strings.TrimSpace(v.stored(name)); key != "" {
			return key, "the key stored as `" + name + "`"
		}
	}
	found := v.first(names)
	if found.Value == "" {
		return "", noKeyText + ", because none is set as " + strings.Join(names, " or ") + ","
	}
	return found.Value, keyFrom("`" + found.Name + "` of " + found.Source)
}

// first returns the first variable that is set and not empty.
func (v variables) first(names []string) agentv.Variable {
	for _, name := range names {
		if found, _ := v.Lookup(name); strings.TrimSpace(found.Value) != "" {
			found.Value = strings.TrimSpace(found.Value)
			return found
		}
	}
	return agentv.Variable{}
}

const noKeyText = "a request without a key"

// noTargetKeyText is the key label of a target that sets an address but no key.
const noTargetKeyText = noKeyText + ", because its target sets no `api_key`,"

func keyFrom(where string) string { return "the key from " + where }

// checkModel returns an error if the model lacks something or has an invalid address or key. It
// shows neither, because both may be secret.
func checkModel(m provider.Model) error {
	p := m.Provider
	switch {
	case strings.TrimSpace(m.Name) == "":
		return fmt.Errorf("it names no model, as in `%s:MODEL`", p.Name)
	case m.Base == "" && p.BaseURL == "":
		return fmt.Errorf("`%s` has no address; set %s", p.Name, strings.Join(p.BaseVars, " or "))
	case m.Key == "" && !p.Keyless && (m.Base == "" || p.BaseURL == "") && !hasKeyHeader(m.Headers): // the user's own server may need none
		if m.KeyLabel == noTargetKeyText {
			return fmt.Errorf("`%s` needs a key; set `api_key`, because keys from the environment are not sent to an address in a targets file", p.Name)
		}
		return fmt.Errorf("`%s` needs a key; set %s in the environment or a .env file", p.Name, strings.Join(p.KeyVars, " or "))
	case m.Base != "" && !isHTTPURL(m.Base):
		return fmt.Errorf("the address of `%s` is not an http or https URL, such as `http://127.0.0.1:8080/v1`", p.Name)
	case strings.ContainsFunc(m.Key, unicode.IsControl):
		return fmt.Errorf("the key of `%s` contains a control character, such as a line break; remove it", p.Name)
	}
	return nil
}

// SuggestJudge says which --judge would grade what needs a model: one whose key or address the
// environment has, or else how to set one.
func SuggestJudge() string {
	for _, p := range wire.Providers() {
		set := variables{}.first(slices.Concat(p.KeyVars, p.BaseVars))
		if set.Value != "" && checkModel(environmentModel(p, "MODEL", variables{})) == nil {
			return fmt.Sprintf("use --judge %s:MODEL, because %s is set", p.Name, set.Name)
		}
	}
	return "set " + wire.OpenAI.KeyVars[0] + " and use --judge openai:gpt-4.1-mini; `rubric help judges` lists other providers"
}

func hasKeyHeader(headers map[string]string) bool {
	// The last one is for Azure's API gateway.
	known := []string{"authorization", "api-key", "x-api-key", "x-goog-api-key", "ocp-apim-subscription-key"}
	for name, value := range headers {
		if value != "" && slices.Contains(known, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

func isHTTPURL(address string) bool {
	at, err := url.Parse(address)
	return err == nil && at.Host != "" && (at.Scheme == "http" || at.Scheme == "https")
}

// normalizeBaseURL completes an address as people write it. For Azure, it may be the name of a
// resource or a host. For Ollama, it may be a host, or the address at which the server listens
// (0.0.0.0), which is not one to connect to.
func normalizeBaseURL(p wire.Provider, address string) string {
	switch {
	case p.Name == wire.Azure.Name && address != "" && !strings.Contains(address, "://"):
		if !strings.ContainsAny(address, ".:/") {
			address += ".openai.azure.com"
		}
		return "https://" + address
	case p.Name != wire.Ollama.Name || address == "":
		return address
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
		if at, err := url.Parse(address); err == nil && at.Port() == "" {
			address = "http://" + net.JoinHostPort(at.Hostname(), "11434")
		}
	}
	return strings.Replace(address, "://0.0.0.0", "://127.0.0.1", 1)
}

// parseTargetModel returns the model of a target. If the target sets an address, a key from the
// environment is not used: a file must not obtain a key that it does not name.
func parseTargetModel(t agentv.Target, p wire.Provider, vars variables) (m provider.Model, err error) {
	s := targetSettings(t.Settings)
	name := s.text("model")
	if base := s.baseURL(); base == "" {
		m = environmentModel(p, name, vars)
	} else {
		m = provider.Model{Provider: p, Model: wire.Model{Name: name, Base: normalizeBaseURL(p, base)}}
		m.KeyLabel = noTargetKeyText
	}
	if len(t.Missing) > 0 {
		return m, missingVariablesError(t)
	}
	if err := checkKeySource(t); err != nil {
		return m, err
	}
	from := keyOrigin(t)
	switch key := s.text("api_key"); {
	case key != "":
		m.Key, m.KeyLabel = key, keyFrom(cmp.Or(from, "its target's `api_key`"))
	case from != "" && !p.Keyless:
		return m, fmt.Errorf("its `api_key` is %s, which is empty", from)
	}
	m.Version = cmp.Or(s.text("version"), m.Version)
	m.Headers = s.textMap("headers")
	m.MaxTokens, m.Thinking = int(s.number("max_output_tokens", 0)), int(s.number("thinking_budget", 0))
	if s.text("thinking_budget") == "0" { // an explicit 0 disables thinking
		m.Thinking = -1
	}
	m.Seed = int64(s.number("seed", 0))
	if s.has("temperature") {
		m.Temperature = new(s.number("temperature", 0))
	}
	m.Limits = provider.Limits{Requests: int(s.number("requests_per_minute", 0)), Tokens: int(s.number("tokens_per_minute", 0))}
	m.Timeout = toDuration(s.number("timeout_seconds", 0), time.Second)
	m.Retry = s.retryPolicy()
	return m, cmp.Or(s.validate(), checkModel(m))
}

// keyOrigin names the variable in a target's `api_key`, or returns "".
func keyOrigin(t agentv.Target) string {
	if named := t.SettingVariables["api_key"]; len(named) > 0 {
		return "`" + named[0].Name + "` of " + named[0].Source
	}
	return ""
}

// checkKeySource refuses to send a key from elsewhere to an address from a .env file.
func checkKeySource(t agentv.Target) error {
	for _, address := range slices.Concat(t.SettingVariables["base_url"], t.SettingVariables["endpoint"]) {
		for _, key := range slices.Concat(t.SettingVariables["api_key"], t.SettingVariables["headers"]) {
			if address.Source != environmentSource && key.Source != address.Source {
				return fmt.Errorf("its address is `%s` of %s, and its key is `%s` of %s; set both in one place", address.Name, address.Source, key.Name, key.Source)
			}
		}
	}
	return nil
}

func (s targetSettings) baseURL() string {
	return s.text("base_url", "endpoint")
}

// modelTarget returns a target that asks a model the case's question. Unlike a judge, the model
// uses its default temperature.
func (p *Ports) modelTarget(m provider.Model) (run.Target, error) {
	if m.Temperature == nil {
		m.Without = append(m.Without, wire.Temperature)
	}
	if m.Seed == 0 {
		m.Without = append(m.Without, wire.Seed)
	}
	model, _, err := p.chargedModel(m)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		q, err := run.TargetQuestion(c)
		if err != nil {
			return grade.Submission{}, err
		}
		a, err := model.Ask(ctx, q)
		if err != nil && a.Usage == (judge.Usage{}) {
			return grade.Submission{}, err
		}
		trace := &grade.Trace{LLMCalls: new(1), EventCount: new(0), CostUSD: a.Usage.Cost}
		if a.Usage != (judge.Usage{}) {
			trace.TokenUsage = &grade.Tokens{Input: float64(a.Usage.Input), Output: float64(a.Usage.Output)}
		}
		return grade.Submission{Answer: a.Text, Trace: trace}, err
	}, nil
}
