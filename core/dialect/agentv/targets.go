package agentv

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Target is one system under test as a targets file defines it.
type Target struct {
	Name        string
	Provider    string                // in lower case, by its first name; "" if none is written
	JudgeTarget string                // "" for the target itself
	Workers     int                   // 0: not said
	Batching    bool                  // whether all cases are asked in one go
	Command     *Command              // of a cli target
	Response    string                // of a mock
	DelayMS     [2]float64            // of a mock: the least and the most
	Trace       any                   // of a mock: the events of its answer, as they are written
	Settings    map[string]any        // of every other provider: what it takes, by the first of each name
	From        map[string][]Variable // the variables that settings name and that are set, by the setting's key
	Missing     []string              // the variables that it needs and that are not set, sorted
	Span        text.Span
}

// Command is how a cli target is asked. Durations are seconds, 0 where not said.
type Command struct {
	Template       string
	FilesFormat    string
	Dir            string // as written; the reference takes it from the eval file's folder
	TimeoutSeconds float64
	Health         *Healthcheck
	Env            []string // NAME=VALUE, besides the environment; like Keys known to the host alone
	Keys           []string // that it may be handed, and nobody is told
}

// Healthcheck is what tells that a cli target is ready: a URL or a command.
type Healthcheck struct {
	Type           string // http or command
	URL            string
	Template       string
	Dir            string // "" for the command's own
	TimeoutSeconds float64
}

// providers are the names by which a provider is known besides its first.
var providers = map[string]string{
	"azure-openai": "azure", "google": "gemini", "google-gemini": "gemini", "codex-cli": "codex", "pi": "pi-coding-agent",
}

// ReadTargets reads a targets file: every target that has a name. Settings may
// hold `${{ NAME }}`, which lookup knows. Keys are in snake_case, or else in
// camelCase. An endless tree has no targets.
func ReadTargets(tree *yaml.Tree, lookup func(string) (Variable, bool)) (targets []Target) {
	if tree.Endless() {
		return nil
	}
	for _, n := range tree.Root().Get("targets").List() {
		if t := readTarget(n, lookup); t.Name != "" {
			targets = append(targets, t)
		}
	}
	return targets
}

func readTarget(n *yaml.Node, lookup func(string) (Variable, bool)) Target {
	r := &targetReader{lookup: lookup}
	t := Target{
		Name: r.text(n, "name"), Provider: strings.ToLower(r.text(n, "provider")),
		JudgeTarget: r.text(n, "judge_target"), Batching: r.flag(n, "provider_batching"), Span: n.Span,
	}
	if workers := r.number(n, "workers"); workers >= 1 && workers <= math.MaxInt32 {
		t.Workers = int(workers)
	}
	if first, ok := providers[t.Provider]; ok {
		t.Provider = first
	}
	switch t.Provider {
	case "cli":
		t.Command = r.command(n)
	case "mock": // an answer is taken as it is: it may well be about ${{ }}
		t.Response, _ = SettingNode(n, "response").Str()
		t.DelayMS, t.Trace = r.delays(n), SettingNode(n, "trace").Any()
	default:
		t.Settings, t.From = r.settings(n, t.Provider), r.from
	}
	slices.Sort(r.missing)
	t.Missing = slices.Compact(r.missing)
	return t
}

// delays are between two times, if one of them is said, and else a time.
func (r *targetReader) delays(n *yaml.Node) [2]float64 {
	least, most := r.number(n, "delay_min_ms"), r.number(n, "delay_max_ms")
	if least <= 0 && most <= 0 {
		least = r.number(n, "delay_ms")
	}
	return [2]float64{least, max(least, most)}
}

// targetReader reads the settings of one target and remembers the variables
// that it lacks.
type targetReader struct {
	lookup  func(string) (Variable, bool)
	from    map[string][]Variable
	missing []string
}

func (r *targetReader) command(n *yaml.Node) *Command {
	c := &Command{
		Template: r.text(n, "command_template"), Dir: r.folder(n), TimeoutSeconds: r.number(n, "timeout_seconds"),
	}
	c.FilesFormat, _ = SettingNode(n, "files_format", "attachments_format").Str()
	if health := n.Get("healthcheck"); health.IsMap() {
		c.Health = &Healthcheck{
			Type: r.text(health, "type"), URL: r.text(health, "url"), Template: r.text(health, "command_template"),
			Dir: r.folder(health), TimeoutSeconds: r.number(health, "timeout_seconds"),
		}
	}
	return c
}

// folder is where a command runs. One that is a variable which is not set is
// not said, as the reference has it: its own template writes one so.
func (r *targetReader) folder(n *yaml.Node) string {
	value, _ := SettingNode(n, "cwd").Str()
	expanded, missing := Expand(value, r.lookup)
	if strings.TrimSpace(expanded) != "" {
		r.missing = append(r.missing, missing...)
	}
	return strings.TrimSpace(expanded)
}

func (r *targetReader) text(n *yaml.Node, keys ...string) string {
	value, _ := SettingNode(n, keys...).Str()
	return r.expand(value)
}

func (r *targetReader) expand(value string) string {
	expanded, missing := Expand(value, r.lookup)
	r.missing = append(r.missing, missing...)
	return expanded
}

// number is a number, or a text that is one once filled in.
func (r *targetReader) number(n *yaml.Node, key string) float64 {
	value := SettingNode(n, key)
	if f, ok := value.Number(); ok {
		return f
	}
	text, _ := value.Str()
	f, _ := strconv.ParseFloat(strings.TrimSpace(r.expand(text)), 64)
	return f
}

func (r *targetReader) flag(n *yaml.Node, key string) bool {
	value := SettingNode(n, key)
	if b, ok := value.Bool(); ok {
		return b
	}
	text, _ := value.Str()
	return strings.EqualFold(strings.TrimSpace(r.expand(text)), "true")
}

// settings are what its provider takes of a target, besides what every one does; of one
// that nobody knows, all there is.
func (r *targetReader) settings(n *yaml.Node, provider string) map[string]any {
	common := []string{"name", "provider", "judge_target", "workers", "provider_batching"}
	settings := map[string]any{}
	kind := targetType.VariantByTag(provider)
	if kind == nil {
		for _, p := range n.Entries() {
			if key, _ := p.Key.Str(); !slices.Contains(common, key) {
				settings[key] = r.fill(p.Value.Any())
			}
		}
		return settings
	}
	lookup := r.lookup
	for _, f := range kind.Fields {
		r.lookup = func(name string) (Variable, bool) {
			v, known := lookup(name)
			if known && r.from == nil {
				r.from = map[string][]Variable{}
			}
			if known {
				r.from[f.Key] = append(r.from[f.Key], v)
			}
			return v, known
		}
		value := first(n, f)
		if value.IsNull() || slices.Contains(common, f.Key) || slices.Contains(agents, provider) && r.unset(f.Key, value) {
			continue
		}
		settings[f.Key] = r.fill(value.Any())
	}
	return settings
}

// unset reports whether a setting of an agent is a variable that is not set, and may be:
// the reference's own template writes these so.
func (r *targetReader) unset(key string, n *yaml.Node) bool {
	text, _ := n.Str()
	name, ok := alone(text)
	_, known := r.lookup(name)
	return ok && !known && slices.Contains([]string{"executable", "cwd", "log_dir"}, key)
}

// fill expands every text in a value.
func (r *targetReader) fill(value any) any {
	switch v := value.(type) {
	case string:
		return r.expand(v)
	case []any:
		for i := range v {
			v[i] = r.fill(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = r.fill(v[key])
		}
	}
	return value
}

// first is the value of a field under the name that counts of those that are written.
func first(n *yaml.Node, f *schema.Field) *yaml.Node {
	for _, name := range append([]string{f.WinningName}, f.Names()...) {
		if v := n.Get(name); name != "" && !v.IsNull() {
			return v
		}
	}
	return nil
}

// SettingNode is the value of the first key that there is, each in snake_case and
// then in camelCase.
func SettingNode(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		for _, name := range []string{key, toCamel(key)} {
			if v := n.Get(name); !v.IsNull() {
				return v
			}
		}
	}
	return nil
}

func toCamel(key string) string {
	words := strings.Split(key, "_")
	for i, word := range words {
		if i > 0 && word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}
