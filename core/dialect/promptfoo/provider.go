package promptfoo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/yaml"
)

// provider is what answers.
type provider struct {
	id, label string
	prompts   []string // labels of the only prompts that it is asked; nil for all
	config    map[string]any
	settings  *yaml.Node
}

// name is the label or, without one, the id.
func (p provider) name() string { return cmp.Or(p.label, p.id) }

func (p provider) matches(filter string) bool {
	return p.label != "" && selects(filter, p.label) || selects(filter, p.id)
}

// asks reports whether a provider is asked a prompt.
func (p provider) asks(prompt Prompt) bool {
	return p.prompts == nil || slices.ContainsFunc(p.prompts, prompt.matches)
}

// selects reports whether a filter such as `label`, `group` of group:x, or `x*` selects a name.
func selects(filter, name string) bool {
	if start, ok := strings.CutSuffix(filter, "*"); ok && strings.HasPrefix(name, start) {
		return true
	}
	return name == filter || strings.HasPrefix(name, filter+":")
}

func (l *loader) loadProviders(root *yaml.Node) {
	n := root.Get("providers")
	if n.IsNull() {
		n = root.Get("targets")
	}
	seen := map[string]bool{}
	for _, item := range asList(n) {
		p := readProvider(item)
		key := javascript.JSON(toValue(item))
		if seen[key] {
			l.lose(providerTwice, item, p.name())
			continue
		}
		seen[key] = true
		if slices.ContainsFunc(l.providers, func(other provider) bool { return other.name() == p.name() }) {
			l.lose(nameTwice, item, p.name())
		}
		unread := slices.DeleteFunc(slices.Sorted(maps.Keys(p.config)), func(key string) bool { return key == "tools" || key == "functions" })
		if len(unread) > 0 {
			l.lose(providerConfig, item, strings.Join(unread, ", "))
		}
		if p.id != "" {
			l.providers = append(l.providers, p)
		}
	}
	if len(l.providers) == 0 {
		l.lose(noProviders, cmp.Or(n, root), "")
	}
}

// readProvider reads an id, a mapping with an `id`, or one with the id as the only key.
func readProvider(n *yaml.Node) provider {
	p := provider{settings: n}
	p.id, _ = n.Str()
	if entries := n.Entries(); len(entries) > 0 && n.Get("id") == nil {
		p.id, p.settings = entries[0].Key.Value, entries[0].Value
	}
	if id, ok := p.settings.Get("id").Str(); ok {
		p.id = id
	}
	p.label, _ = p.settings.Get("label").Str()
	p.config, _ = toValue(p.settings.Get("config")).(map[string]any)
	if list := p.settings.Get("prompts"); list.IsSeq() {
		p.prompts = []string{}
		for _, item := range list.List() {
			name, _ := item.Str()
			p.prompts = append(p.prompts, name)
		}
	}
	return p
}
