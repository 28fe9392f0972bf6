package host

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// environmentModel is a model of a provider that is where the environment of the process
// says, with the key that is held for it. A .env file is not asked: beside a file
// from elsewhere it could send the process's key anywhere.
func environmentModel(p wire.Provider, name string, lookup keyLookup) provider.Model {
	m := provider.Model{Provider: p, Model: wire.Model{Name: name}, Retry: provider.DefaultRetry}
	_, base := firstSet(p.BaseVars)
	m.Base = normalizeBaseURL(p, base)
	m.Key, m.KeyLabel = lookup(p.KeyVars)
	if p.Name == wire.Azure.Name {
		_, m.Version = firstSet([]string{"AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"})
	}
	return m
}

// AvailableProviders are the providers that can be asked with what the environment of the
// process says, as [Ports.Judge] names them, with MODEL for a model's name. Whether
// they answer, nobody has tried.
func AvailableProviders() (names []string) {
	for _, p := range wire.Providers() {
		if m := environmentModel(p, "MODEL", new(Ports).keyLookup(context.Background())); checkModel(m) == nil {
			names = append(names, p.Name+":"+m.Name)
		}
	}
	return names
}

// keyLookup gives the first of some variables of which a key is held, and says in words
// which that is.
type keyLookup func(names []string) (key, words string)

// keyLookup are those that the person at hand holds, else the environment's.
func (p *Ports) keyLookup(ctx context.Context) keyLookup {
	return func(names []string) (key, words string) {
		for _, name := range names {
			if p.Key == nil {
				break
			}
			if key := strings.TrimSpace(p.Key(ctx, name)); key != "" {
				return key, "the key that is kept as `" + name + "`"
			}
		}
		return environmentKey(names)
	}
}

// environmentKey are the keys that the environment of the process holds.
func environmentKey(names []string) (key, words string) {
	name, key := firstSet(names)
	if key == "" {
		return "", noKeyText + ", for none is set as " + strings.Join(names, " or ") + ","
	}
	return key, keyFrom("`" + name + "` of " + environmentSource)
}

// noKeyText is what a provider is sent that there is no key for.
const noKeyText = "a request without a key"

// noTargetKeyText is it where a target says whom to ask, and no key.
const noTargetKeyText = noKeyText + ", for its target names none as `api_key`,"

func keyFrom(where string) string { return "the key from " + where }

// checkModel is what a model cannot be asked without. Neither an address nor a key is
// shown: both may be secrets.
func checkModel(m provider.Model) error {
	p := m.Provider
	switch {
	case m.Name == "":
		return fmt.Errorf("it names no model, as in `%s:MODEL`", p.Name)
	case m.Base == "" && p.BaseURL == "":
		return fmt.Errorf("it is not said where `%s` is; set %s", p.Name, strings.Join(p.BaseVars, " or "))
	case m.Key == "" && !p.Keyless && (m.Base == "" || p.BaseURL == "") && !hasKeyHeader(m.Headers): // a server of one's own may need none
		if m.KeyLabel == noTargetKeyText {
			return fmt.Errorf("`%s` needs a key; name it as `api_key`, for one of the environment goes nowhere that a targets file says", p.Name)
		}
		return fmt.Errorf("`%s` needs a key; set %s in the environment (.env files are read for targets.yaml only)", p.Name, strings.Join(p.KeyVars, " or "))
	case m.Base != "" && !isHTTPURL(m.Base):
		return fmt.Errorf("the address that is set for `%s` is no http or https URL, such as `http://127.0.0.1:8080/v1`", p.Name)
	case strings.ContainsFunc(m.Key, unicode.IsControl):
		return fmt.Errorf("the key that is set for `%s` has a line break or the like in it, which cannot be sent", p.Name)
	}
	return nil
}

// hasKeyHeader reports whether headers show a key of their own.
func hasKeyHeader(headers map[string]string) bool {
	// The last is of what stands in front of many an Azure.
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

// firstSet is the first variable of the process's environment that says something, and
// what it says.
func firstSet(names []string) (name, value string) {
	for _, name := range names {
		if value := strings.TrimSpace(os.Getenv(name)); value != "" {
			return name, value
		}
	}
	return "", ""
}

// normalizeBaseURL is an address as people write it. Azure's may be the name of a resource, or
// its host; Ollama's a host alone, or the one that its server listens at, which is no
// address to go to.
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

// parseTargetModel is the model that a target's definition names. A key that it does not
// say is the environment's, unless it says where to go: a file must not take a
// key along that it does not name.
func parseTargetModel(t agentv.Target, p wire.Provider, lookup keyLookup) (m provider.Model, err error) {
	if len(t.Missing) > 0 {
		return m, missingVariablesError(t)
	}
	s := targetSettings(t.Settings)
	name := s.text("model")
	if base := s.baseURL(); base == "" {
		m = environmentModel(p, name, lookup)
	} else {
		m = provider.Model{Provider: p, Model: wire.Model{Name: name, Base: normalizeBaseURL(p, base)}}
		m.KeyLabel = noTargetKeyText
	}
	if err := checkKeySource(t); err != nil {
		return m, err
	}
	from := ""
	if named := t.SettingVariables["api_key"]; len(named) > 0 {
		from = "`" + named[0].Name + "` of " + named[0].Source
	}
	switch key := s.text("api_key"); {
	case key != "":
		m.Key, m.KeyLabel = key, keyFrom(cmp.Or(from, "its target's `api_key`"))
	case from != "" && !p.Keyless:
		return m, fmt.Errorf("%s is empty, which its `api_key` is to be", from)
	}
	m.Version = cmp.Or(s.text("version"), m.Version)
	m.Headers = s.textMap("headers")
	m.MaxTokens, m.Thinking = int(s.number("max_output_tokens", 0)), int(s.number("thinking_budget", 0))
	if s.text("thinking_budget") == "0" { // which is said, unlike nothing
		m.Thinking = -1
	}
	m.Seed = int64(s.number("seed", 0))
	if s.has("temperature") {
		temperature := s.number("temperature", 0)
		m.Temperature = &temperature
	}
	m.Limits = provider.Limits{Requests: int(s.number("requests_per_minute", 0)), Tokens: int(s.number("tokens_per_minute", 0))}
	m.Timeout = toDuration(s.number("timeout_seconds", 0), time.Second)
	m.Retry = s.retryPolicy()
	return m, cmp.Or(s.validate(), checkModel(m))
}

// checkKeySource refuses to send a key from elsewhere to an address that a .env file sets.
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

// baseURL is where the definition itself says that the provider is.
func (s targetSettings) baseURL() string {
	return s.text("base_url", "endpoint")
}

// modelTarget makes a target of a model, which is asked the case's question. Unlike
// a judge it has the temperature that its provider thinks right.
func (p *Ports) modelTarget(m provider.Model) (run.Target, error) {
	if m.Temperature == nil {
		m.Without = append(m.Without, wire.Temperature)
	}
	if m.Seed == 0 {
		m.Without = append(m.Without, wire.Seed)
	}
	model, _, err := p.chargedModel(m)
	if err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		a, err := model.Ask(ctx, judge.Question{User: c.Question})
		if err != nil && a.Usage == (judge.Usage{}) {
			return grade.Submission{}, err
		}
		calls := 1
		trace := &grade.Trace{LLMCalls: &calls}
		trace.CostUSD = a.Usage.Cost
		if a.Usage != (judge.Usage{}) {
			trace.TokenUsage = &grade.Tokens{Input: float64(a.Usage.Input), Output: float64(a.Usage.Output)}
		}
		return grade.Submission{Answer: a.Text, Trace: trace}, err
	}, nil
}
