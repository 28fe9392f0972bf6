package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// names adds what is called by its name elsewhere: targets, cases, tools.
func (m *menu) names(s slot, n *yaml.Node) {
	f := s.Field
	if f == nil {
		f = under(m.part, n)
	}
	if f == nil || !takesText(s.Type) || len(valuesOf(s.Type)) > 0 {
		return
	}
	var names []string
	switch f.Key {
	case "target", "targets", "providers", "provider":
		names = m.host.Targets
	case "judge_target":
		names = written(m.part.Tree.Root().Get("targets"), "name")
	case "depends_on":
		own := ownID(n)
		names = slices.DeleteFunc(slices.Clone(asked(m.host.Cases)), func(id string) bool { return id == own })
	case "tool":
		names = written(m.part.Tree.Root(), "tool")
	}
	seen := map[string]bool{}
	for _, name := range m.likely(m.others(names)) {
		if seen[name] {
			continue
		}
		seen[name] = true
		m.add(Item{Label: name, Kind: NameItem}, m.sketch().scalar(name), nil)
	}
}

// ownID is the id of the nearest mapping around a node that has one.
func ownID(n *yaml.Node) string {
	for ; n != nil; n = n.Parent {
		if id, ok := n.Get("id").Str(); ok {
			return id
		}
	}
	return ""
}

// known are the names that are likely keys of a mapping from names: of the
// members of a composite, for their weights, and of tools.
func (m *menu) known(mapping *yaml.Node) []string {
	pair := pairOf(mapping)
	if pair == nil {
		return nil
	}
	switch pair.Key.Value {
	case "weights":
		if up := mapping.Parent.Parent; up != nil {
			members := append(written(up.Get("evaluators"), "name"), written(up.Get("assertions"), "name")...)
			return m.others(members)
		}
	case "vars":
		return asked(m.host.Vars)
	case "minimums":
		return m.others(written(m.part.Tree.Root(), "tool"))
	}
	return nil
}

// others are names without the word that stands in the cursor's place.
func (m *menu) others(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == m.node.Value })
}

// likely are names, or of more than a completion has those that begin as the word
// does, or have it in them.
func (m *menu) likely(names []string) []string {
	if len(names) <= maxItems {
		return names
	}
	typed := strings.ToLower(strings.Trim(m.written(), `"'`))
	begin := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), typed) }
	has := func(name string) bool { return !begin(name) && strings.Contains(strings.ToLower(name), typed) }
	return slices.Concat(matching(names, begin), matching(names, has))
}

func matching(names []string, is func(string) bool) (all []string) {
	for _, name := range names {
		if is(name) {
			all = append(all, name)
		}
	}
	return all
}

// written are the texts that stand under a key anywhere below a node, each once.
func written(n *yaml.Node, key string) (all []string) {
	yaml.Walk(n, func(n *yaml.Node) bool {
		for _, pair := range n.Pairs {
			if text, ok := pair.Value.Str(); ok && text != "" && pair.Key.Value == key && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		return true
	})
	return all
}

// takesText reports whether a value may be a text.
func takesText(t *schema.Type) bool {
	return t != nil && slices.ContainsFunc(shapes(t), func(s *schema.Type) bool { return s.Kind == schema.Text || s.Kind == schema.Any })
}

// anchors adds the anchors that an alias could repeat.
func (m *menu) anchors(p *analysis.Part) {
	found := p.Tree.Anchors(m.offset)
	var names []string
	for name := range found {
		names = append(names, name)
	}
	if p.Frame != nil {
		for name := range p.Frame.Anchors(text.Far + len(p.Frame.Source.Body)) {
			if found[name] == nil {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		m.items = append(m.items, Item{Label: "*" + name, Kind: NameItem, Edit: text.Edit{Span: m.word, New: "*" + name}})
	}
}
