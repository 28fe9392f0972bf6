package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Definitions returns the mappings of a targets file's targets. A provider of a providers file, or
// of an eval file that defines its own, becomes a mapping with `name` for its `label`, `provider` for its
// `id`, and its `config` beside its other settings.
func Definitions(root *yaml.Node) (all []*yaml.Node) {
	if list := root.Get("targets"); list != nil {
		return list.List()
	}
	list := root.List()
	if root.IsMap() {
		list = root.Get("providers").List()
	}
	for _, n := range list {
		spec, isText := n.Str()
		switch {
		case isText:
			all = append(all, providerDefinition(n, spec, nil))
		case n.Get("id") != nil:
			spec = n.Get("id").Text()
			all = append(all, providerDefinition(n, spec, n))
		default: // the provider is the key, and the value holds its settings
			for _, p := range n.Entries() {
				all = append(all, providerDefinition(n, p.Key.Value, p.Value))
			}
		}
	}
	return all
}

// providerDefinition returns a provider in the form of a target. Settings are nil for a provider that
// is only its spec, such as `openai:gpt-4.1`.
func providerDefinition(at *yaml.Node, spec string, settings *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.Mapping, Tag: yaml.TagMap, Span: at.Span}
	add := func(key string, value *yaml.Node) {
		if n.Get(key) == nil {
			n.Pairs = append(n.Pairs, &yaml.Pair{Key: textNode(at, key), Value: value})
		}
	}
	if label := settings.Get("label"); label.IsNull() {
		add("name", textNode(at, spec))
	} else {
		add("name", label)
	}
	provider, key, value := splitProviderSpec(spec)
	add("provider", textNode(at, provider))
	for _, holder := range []*yaml.Node{settings, settings.Get("config")} {
		for _, p := range holder.Entries() {
			if !slices.Contains([]string{"id", "label", "config"}, p.Key.Value) {
				add(p.Key.Value, p.Value)
			}
		}
	}
	if key != "" {
		add(key, textNode(at, value))
	}
	return n
}

func textNode(at *yaml.Node, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.Scalar, Tag: yaml.TagStr, Value: text, Span: at.Span}
}

// splitProviderSpec returns the provider of a spec, and the setting that the rest of it stands for:
// `exec:COMMAND` is a command, and `openai:codex:MODEL` and `agentv:codex-cli:MODEL` are Codex.
func splitProviderSpec(spec string) (provider, key, value string) {
	provider, value, hasRest := strings.Cut(strings.TrimSpace(spec), ":")
	value = strings.TrimSpace(value)
	if !hasRest {
		return provider, "", ""
	}
	if provider == "exec" {
		return "cli", "command", value
	}
	kind, model, hasModel := strings.Cut(value, ":")
	isAgent := provider == "openai" && slices.Contains([]string{"codex", "codex-sdk", "codex-app-server", "codex-desktop"}, kind) ||
		provider == "agentv" && kind == "codex-cli"
	switch {
	case isAgent && hasModel:
		return kind, "model", model
	case isAgent:
		return kind, "", ""
	case hasModel && (provider == "openai" && (kind == "responses" || kind == "chat") || provider == "anthropic" && kind == "messages"):
		return provider, "model", model
	}
	return provider, "model", value
}
