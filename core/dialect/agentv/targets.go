package agentv

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Target is one system under test in a targets file.
type Target struct {
	Name             string
	Provider         string                // lower case, with synonyms resolved; "" if none is written
	JudgeTarget      string                // "" for the target itself
	Fallbacks        []string              // targets that answer if this one fails, in order
	UseTarget        string                // the target that this one stands for, if it is not found
	UseProblem       string                // why `use_target` leads to no target
	Workers          int                   // 0 if not set
	Batching         bool                  // send all cases in one request
	Command          *Command              // for cli targets
	Response         string                // for mocks
	DelayMS          [2]float64            // for mocks: minimum and maximum
	Trace            any                   // for mocks: the events of the answer, as written
	Settings         map[string]any        // for all other providers: settings by their main key
	SettingVariables map[string][]Variable // variables that settings use and that are set, by the setting's key
	Missing          []string              // variables that the target needs and that are not set, sorted
	Span             text.Span
	DefinitionSpan   text.Span // of the target whose settings these are: another one's with `use_target`
}

// Command describes how to call a cli target. Durations are seconds; 0 if not set.
type Command struct {
	Template       string
	FilesFormat    string
	Dir            string // as written; the reference resolves it against the eval file's directory
	TimeoutSeconds float64
	Health         *Healthcheck
	Env            []string // NAME=VALUE, in addition to the process environment; set by the host
	Secrets        []string // values to redact from output, such as API keys; set by the host
}

// Healthcheck decides whether a cli target is ready: a URL or a command.
type Healthcheck struct {
	Type           string // http or command
	URL            string
	Template       string
	Dir            string // "" for the command's own
	TimeoutSeconds float64
}

// providerSynonyms maps a provider's other names to its main name. An agent's SDK and its command are
// the same agent, and only its command is run.
var providerSynonyms = map[string]string{
	"azure-openai": "azure", "google": "gemini", "google-gemini": "gemini",
	"codex-cli": "codex", "codex-sdk": "codex", "codex-app-server": "codex", "codex-desktop": "codex",
	"claude": "claude-code", "claude-cli": "claude-code", "claude-sdk": "claude-code", "cc-mirror": "claude-code",
	"copilot": "copilot-cli", "copilot-sdk": "copilot-cli", "copilot_sdk": "copilot-cli",
	"pi": "pi-coding-agent", "pi-cli": "pi-coding-agent", "pi-sdk": "pi-coding-agent", "pi-rpc": "pi-coding-agent", "pi-agent-sdk": "pi-coding-agent",
}

// ReadTargets reads all targets with a name from a targets file, or from a file of providers. Lookup
// supplies the variables for `${{ NAME }}` and `{{ env.NAME }}` in settings. Keys are in snake_case or
// camelCase; snake_case takes precedence. A tree with endless aliases has no targets.
func ReadTargets(tree *yaml.Tree, lookup func(string) (Variable, bool)) (targets []Target) {
	if tree.HasUnboundedAliases() {
		return nil
	}
	for _, n := range Definitions(tree.Root()) {
		if t := readTarget(n, lookup); t.Name != "" {
			targets = append(targets, t)
		}
	}
	resolved := slices.Clone(targets)
	for i := range resolved {
		resolved[i] = resolveUseTarget(targets, targets[i])
	}
	return resolved
}

// ReadOwnProviders reads the providers that an eval file defines itself, and does not only name.
func ReadOwnProviders(tree *yaml.Tree, lookup func(string) (Variable, bool)) []Target {
	if !slices.ContainsFunc(tree.Root().Get("providers").List(), (*yaml.Node).IsMap) {
		return nil
	}
	return ReadTargets(tree, lookup)
}

// resolveUseTarget returns the definition that t stands for, under its own name.
func resolveUseTarget(targets []Target, t Target) Target {
	index := func(name string) int {
		return slices.IndexFunc(targets, func(other Target) bool { return other.Name == name })
	}
	last, problem := FollowUse(t.Name, t.UseTarget, func(name string) (use string, known bool) {
		i := index(name)
		return targets[max(i, 0)].UseTarget, i >= 0
	})
	found := t
	if last != t.Name {
		found = targets[index(last)]
	}
	found.Name, found.Span, found.JudgeTarget = t.Name, t.Span, cmp.Or(t.JudgeTarget, found.JudgeTarget)
	if found.UseProblem = problem; problem != "" {
		found.UseTarget = t.UseTarget
	}
	return found
}

// FollowUse follows the `use_target` of a target through others and returns the last target. As in the reference,
// it follows at most five names. If they lead to no target, it says why. useOf returns the `use_target` of a target.
func FollowUse(name, use string, useOf func(string) (use string, known bool)) (last, problem string) {
	last, names := name, []string{name, use}
	for use != "" {
		next, known := useOf(use)
		switch {
		case !known:
			return last, "its `use_target` leads to `" + use + "`, but there is no such target"
		case slices.Contains(names[:len(names)-1], use):
			return last, "its `use_target` goes round in a cycle: " + strings.Join(names, " → ")
		case len(names) > 6:
			return last, "its `use_target` leads further than five targets: " + strings.Join(names, " → ")
		}
		last, use, names = use, next, append(names, next)
	}
	return last, ""
}

// ReadTargetNames returns the targets that an eval file names for all its cases.
func ReadTargetNames(root *yaml.Node) (names []string) {
	execution := root.Get("execution")
	for _, n := range []*yaml.Node{execution.Get("target"), execution.Get("targets"), root.Get("target"), root.Get("providers"), root.Get("defaults").Get("provider")} {
		if n == nil {
			continue
		}
		for _, one := range append([]*yaml.Node{n}, n.List()...) {
			if name := ProviderName(one); name != "" {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			break
		}
	}
	return names
}

// ProviderName returns the name of a target or a provider that is named, or that an eval file defines.
// It is "" for the path of a file.
func ProviderName(n *yaml.Node) string {
	if n.IsMap() {
		n = FirstValue(n, "label", "id", "name")
	}
	name := n.Text()
	if name = strings.TrimSpace(name); strings.HasPrefix(name, "file://") {
		return ""
	}
	return name
}

func readTarget(n *yaml.Node, lookup func(string) (Variable, bool)) Target {
	r := &targetReader{lookup: lookup}
	t := Target{
		Name: r.readString(n, "name"), Provider: strings.ToLower(r.readString(n, "provider")),
		JudgeTarget: cmp.Or(r.readString(n, "judge_target"), r.readString(n, "grader_target")), Batching: r.readBool(n, "provider_batching"),
		UseTarget: r.readString(n, "use_target"), Span: n.Span, DefinitionSpan: n.Span,
	}
	for _, one := range LookupSetting(n, "fallback_targets").List() {
		if name := one.Text(); name != "" {
			t.Fallbacks = append(t.Fallbacks, r.expandVariables(name))
		}
	}
	if workers := r.readNumber(n, "workers"); workers >= 1 && workers <= math.MaxInt32 {
		t.Workers = int(workers)
	}
	if name, ok := providerSynonyms[t.Provider]; ok {
		t.Provider = name
	}
	isPlugin := t.Provider != "" && targetType.VariantByTag(t.Provider) == nil && LookupSetting(n, "command") != nil
	switch {
	case t.Provider == "cli", isPlugin: // a program in .agentv/providers has its own name
		t.Command = r.readCommand(n)
	case t.Provider == "mock": // not expanded: the answer may contain ${{ }} literally
		t.Response, t.DelayMS, t.Trace = LookupSetting(n, "response").Text(), r.readDelays(n), LookupSetting(n, "trace").Any()
	default:
		t.Settings, t.SettingVariables = r.readSettings(n, t.Provider), r.variables
	}
	slices.Sort(r.missing)
	t.Missing = slices.Compact(r.missing)
	return t
}

// readDelays returns the minimum and maximum delay if either is set, else the fixed delay twice.
func (r *targetReader) readDelays(n *yaml.Node) [2]float64 {
	minDelay, maxDelay := r.readNumber(n, "delay_min_ms"), r.readNumber(n, "delay_max_ms")
	if minDelay <= 0 && maxDelay <= 0 {
		minDelay = r.readNumber(n, "delay_ms")
	}
	return [2]float64{minDelay, max(minDelay, maxDelay)}
}

// targetReader reads the settings of one target and collects missing variables.
type targetReader struct {
	lookup    func(string) (Variable, bool)
	variables map[string][]Variable
	missing   []string
}

func (r *targetReader) readCommand(n *yaml.Node) *Command {
	c := &Command{
		Template: r.readString(n, "command", "command_template"), Dir: r.readDir(n), TimeoutSeconds: r.readNumber(n, "timeout_seconds"),
		FilesFormat: LookupSetting(n, "files_format", "attachments_format").Text(),
	}
	if health := n.Get("healthcheck"); health.IsMap() {
		c.Health = &Healthcheck{
			Type: r.readString(health, "type"), URL: r.readString(health, "url"), Template: r.readString(health, "command", "command_template"),
			Dir: r.readDir(health), TimeoutSeconds: r.readNumber(health, "timeout_seconds"),
		}
		switch { // later versions write no type
		case c.Health.Type == "" && c.Health.URL != "":
			c.Health.Type = "http"
		case c.Health.Type == "" && c.Health.Template != "":
			c.Health.Type, c.Health.Dir = "command", cmp.Or(c.Health.Dir, ".") // those run it beside the eval file, not in the target's folder
		}
	}
	return c
}

// readDir returns the working directory of a command. The reference's template sets it to a
// variable that need not be set, so such a variable is not missing.
func (r *targetReader) readDir(n *yaml.Node) string {
	expanded, missing := ExpandVariables("", LookupSetting(n, "cwd").Text(), r.lookup)
	if strings.TrimSpace(expanded) != "" {
		r.missing = append(r.missing, missing...)
	}
	return strings.TrimSpace(expanded)
}

func (r *targetReader) readString(n *yaml.Node, keys ...string) string {
	return r.expandVariables(LookupSetting(n, keys...).Text())
}

func (r *targetReader) expandVariables(value string) string {
	expanded, missing := ExpandVariables("", value, r.lookup)
	r.missing = append(r.missing, missing...)
	return expanded
}

// readNumber returns a number, or the number in a string after expansion. It returns 0 if there is no value, and
// NaN for any other.
func (r *targetReader) readNumber(n *yaml.Node, key string) float64 {
	value := LookupSetting(n, key)
	if f, ok := value.Number(); ok {
		return f
	}
	text, isText := value.Str()
	text = strings.TrimSpace(r.expandVariables(text))
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case value.IsNull() || isText && text == "":
		return 0
	case err != nil:
		return math.NaN()
	}
	return f
}

func (r *targetReader) readBool(n *yaml.Node, key string) bool {
	value := LookupSetting(n, key)
	if b, ok := value.Bool(); ok {
		return b
	}
	return strings.EqualFold(strings.TrimSpace(r.expandVariables(value.Text())), "true")
}

// readSettings returns the provider's settings without those common to all targets. For an
// unknown provider it returns all other keys.
func (r *targetReader) readSettings(n *yaml.Node, provider string) map[string]any {
	common := []string{"name", "provider", "judge_target", "grader_target", "use_target", "fallback_targets", "workers", "provider_batching"}
	settings := map[string]any{}
	kind := targetType.VariantByTag(provider)
	if kind == nil {
		for _, p := range n.Entries() {
			if key := p.Key.Text(); !slices.Contains(common, key) {
				settings[key] = MapTexts(p.Value.Any(), r.expand)
			}
		}
		return settings
	}
	lookup := r.lookup
	for _, f := range kind.Fields {
		r.lookup = func(name string) (Variable, bool) {
			v, known := lookup(name)
			if known && r.variables == nil {
				r.variables = map[string][]Variable{}
			}
			if known {
				r.variables[f.Key] = append(r.variables[f.Key], v)
			}
			return v, known
		}
		value := fieldValue(n, f)
		if value.IsNull() || slices.Contains(common, f.Key) || (f.Key == "version" || slices.Contains(agentProviders, provider)) && r.isUnset(value) {
			continue
		}
		settings[f.Key] = MapTexts(value.Any(), r.expand)
	}
	return settings
}

// isUnset reports whether a setting is a variable that is not set. An agent's settings and the version of an
// API may be.
func (r *targetReader) isUnset(n *yaml.Node) bool {
	name, ok := soleVariable(n.Text())
	_, known := r.lookup(name)
	return ok && !known
}

// expand is [targetReader.expandVariables] for [MapTexts].
func (r *targetReader) expand(text string) any { return r.expandVariables(text) }

// fieldValue returns a field's value under the name that takes precedence.
func fieldValue(n *yaml.Node, f *schema.Field) *yaml.Node {
	names := f.Names()
	if f.WinningName != "" {
		names = append([]string{f.WinningName}, names...)
	}
	return FirstValue(n, names...)
}

// LookupSetting returns the value of the first key present, each in snake_case and then in
// camelCase.
func LookupSetting(n *yaml.Node, keys ...string) *yaml.Node {
	var names []string
	for _, key := range keys {
		names = append(names, key, schema.CamelCase(key))
	}
	return FirstValue(n, names...)
}

// TargetNames returns the names that a targets file defines, in file order. It is nil only if a syntax error keeps
// a run from reading the file.
func TargetNames(tree *yaml.Tree) []string {
	if slices.ContainsFunc(tree.Problems, func(p yaml.Problem) bool { return p.Kind == yaml.SyntaxProblem }) {
		return nil
	}
	names := []string{}
	for _, n := range Definitions(tree.Root()) {
		if name, ok := n.Get("name").Str(); ok && name != "" {
			names = append(names, name)
		}
	}
	return names
}
