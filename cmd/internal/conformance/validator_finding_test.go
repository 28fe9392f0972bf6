package conformance

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// severity is error or warning.
type severity string

const (
	severityError   severity = "error"
	severityWarning severity = "warning"
)

// finding is one thing that the validator reports. Path is dotted, as
// evalcases[0].id, and "" for the file as a whole.
type finding struct {
	Category string
	Path     string
	Severity severity
}

// findings gathers what is found.
type findings struct {
	reading
	list []finding
}

func (f *findings) add(category, path string) {
	f.list = append(f.list, finding{category, path, severityError})
}

func (f *findings) warn(category, path string) {
	f.list = append(f.list, finding{category, path, severityWarning})
}

func itemPath(path string, index int) string { return path + "[" + strconv.Itoa(index) + "]" }

// reading is how a version reads a tree. The seed's is the zero one, but for
// the roles.
type reading struct {
	roles  []string // of messages
	merges bool     // merge keys are read, and what holds itself is refused
	data   bool     // content may be a mapping, and nothing beside tool calls
}

// get is the value of a mapping's key, or nil.
func (r reading) get(n *yaml.Node, key string) *yaml.Node {
	if r.merges {
		return n.Get(key)
	}
	return ownValue(n, key)
}

// names are the keys of a mapping, in order.
func (r reading) names(n *yaml.Node) []string {
	if !r.merges {
		return keyNames(n)
	}
	var names []string
	for _, p := range n.Entries() {
		if name, ok := keyName(p); ok {
			names = append(names, name)
		}
	}
	return names
}

// keySet is what a version makes of a mapping's keys.
type keySet struct {
	known      []string
	deprecated map[string]string // read, with a warning of this category
	removed    []string          // KEY_removed, an error
	prefix     string            // before the category of what is removed
	unknown    string            // the category of all others
	strict     bool              // for which unknown is an error
}

// keys reports the keys of n that are not plainly known, in order.
func (f *findings) keys(n *yaml.Node, path string, set keySet) {
	for _, key := range f.names(n) {
		category, old := set.deprecated[key]
		switch {
		case old:
			f.warn(category, keyPath(path, key))
		case slices.Contains(set.removed, key):
			f.add(set.prefix+key+"_removed", keyPath(path, key))
		case slices.Contains(set.known, key):
		case set.strict:
			f.add(set.unknown, keyPath(path, key))
		default:
			f.warn(set.unknown, keyPath(path, key))
		}
	}
}

// keyPath is the path of a key.
func keyPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// limit is what a number under a key has to be; KEY_invalid if it is not.
type limit struct {
	key string
	ok  func(float64) bool
}

func aboveZero(x float64) bool     { return x > 0 }
func notBelow0(x float64) bool     { return x >= 0 }
func isShare(x float64) bool       { return x >= 0 && x <= 1 }
func isCount(x float64) bool       { return x >= 1 && x == math.Trunc(x) && !math.IsInf(x, 0) }
func isWorkerCount(x float64) bool { return isCount(x) && x <= 50 }

// limits checks the numbers of a mapping that are there.
func (f *findings) limits(n *yaml.Node, path string, limits ...limit) {
	for _, l := range limits {
		value := f.get(n, l.key)
		if value == nil {
			continue
		}
		if number, ok := value.Number(); !ok || !l.ok(number) {
			f.add(l.key+"_invalid", path+"."+l.key)
		}
	}
}

// The settings that the validator knows. They are fewer than the field table
// has, since targets are read more freely than they are validated, and a few
// are spelled otherwise. Where versions of the time differ, what one of them
// knows is known.
const (
	commonSettings = "name provider judge_target workers $schema targets provider_batching providerBatching "
	retrySettings  = "max_retries maxRetries retry_initial_delay_ms retryInitialDelayMs retry_max_delay_ms retryMaxDelayMs " +
		"retry_backoff_factor retryBackoffFactor retry_status_codes retryStatusCodes "
	modelSettings = commonSettings + retrySettings + "api_key apiKey model deployment temperature max_output_tokens maxTokens "
	agentSettings = commonSettings + "executable command binary args arguments model cwd timeout_seconds timeoutSeconds " +
		"log_dir logDir log_directory logDirectory log_format logFormat log_output_format logOutputFormat " +
		"system_prompt systemPrompt workspace_template workspaceTemplate "
	azureSettings  = modelSettings + "endpoint resource resourceName deploymentName version api_version"
	geminiSettings = modelSettings + "variant"
	editorSettings = commonSettings + "workspace_template workspaceTemplate vscode_cmd command executable wait dry_run dryRun " +
		"subagent_root subagentRoot timeout_seconds timeoutSeconds"
)

// providers are those that the validator knows.
var providers = strings.Fields("azure azure-openai anthropic gemini google google-gemini openai bedrock vertex codex codex-cli copilot-cli claude-code " +
	"pi pi-coding-agent pi-agent-sdk cli vscode vscode-insiders mock")

// settings by provider. Of a provider that is not here, a command's among
// them, any setting passes.
var providerSettings = map[string][]string{
	"azure":           strings.Fields(azureSettings),
	"azure-openai":    strings.Fields(azureSettings),
	"anthropic":       strings.Fields(modelSettings + "variant thinking_budget thinkingBudget"),
	"gemini":          strings.Fields(geminiSettings),
	"google":          strings.Fields(geminiSettings),
	"google-gemini":   strings.Fields(geminiSettings),
	"codex":           strings.Fields(agentSettings),
	"codex-cli":       strings.Fields(agentSettings),
	"copilot-cli":     strings.Fields(agentSettings),
	"claude-code":     strings.Fields(agentSettings + "max_turns maxTurns max_budget_usd maxBudgetUsd"),
	"vscode":          strings.Fields(editorSettings),
	"vscode-insiders": strings.Fields(editorSettings),
	"mock":            strings.Fields(commonSettings + "response delayMs delayMinMs delayMaxMs trace"),
}

// knowsSetting reports whether a target of provider, in lower case, may have key.
func knowsSetting(provider, key string) bool {
	known, checked := providerSettings[provider]
	return !checked || slices.Contains(known, key)
}
