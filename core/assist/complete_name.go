package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// addNames adds what is called by its name elsewhere: targets, cases, tools.
func (c *completer) addNames(s schemaContext, n *yaml.Node) {
	f := s.Field
	if f == nil {
		f = enclosingField(c.part, n)
	}
	if f == nil || !acceptsText(s.Type) || len(typeValues(s.Type)) > 0 {
		return
	}
	var names []string
	switch f.Key {
	case "target", "targets", "providers", "provider":
		names = c.host.Targets
	case "judge_target":
		names = collectTexts(c.part.Tree.Root().Get("targets"), "name")
	case "depends_on":
		own := enclosingID(n)
		names = slices.DeleteFunc(slices.Clone(callNames(c.host.CaseIDs)), func(id string) bool { return id == own })
	case "tool":
		names = collectTexts(c.part.Tree.Root(), "tool")
	}
	seen := map[string]bool{}
	for _, name := range c.narrowNames(c.withoutCurrent(names)) {
		if seen[name] {
			continue
		}
		seen[name] = true
		c.addItem(CompletionItem{Label: name, Kind: NameItem}, c.newSnippet().scalarText(name), nil)
	}
}

// enclosingID is the id of the nearest mapping around a node that has one.
func enclosingID(n *yaml.Node) string {
	for ; n != nil; n = n.Parent {
		if id, ok := n.Get("id").Str(); ok {
			return id
		}
	}
	return ""
}

// knownKeys are the names that are likely keys of a mapping from names: of the
// members of a composite, for their weights, and of tools.
func (c *completer) knownKeys(mapping *yaml.Node) []string {
	pair := pairOf(mapping)
	if pair == nil {
		return nil
	}
	switch pair.Key.Value {
	case "weights":
		if composite := mapping.Parent.Parent; composite != nil {
			members := append(collectTexts(composite.Get("evaluators"), "name"), collectTexts(composite.Get("assertions"), "name")...)
			return c.withoutCurrent(members)
		}
	case "vars":
		return callNames(c.host.VarNames)
	case "minimums":
		return c.withoutCurrent(collectTexts(c.part.Tree.Root(), "tool"))
	}
	return nil
}

// withoutCurrent are names without the word that stands in the cursor's place.
func (c *completer) withoutCurrent(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == c.node.Value })
}

// narrowNames are names, or of more than a completion has those that begin as the word
// does, or have it in them.
func (c *completer) narrowNames(names []string) []string {
	if len(names) <= maxCompletionItems {
		return names
	}
	typed := strings.ToLower(strings.Trim(c.typedPrefix(), `"'`))
	begin := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), typed) }
	has := func(name string) bool { return !begin(name) && strings.Contains(strings.ToLower(name), typed) }
	return slices.Concat(filterNames(names, begin), filterNames(names, has))
}

func filterNames(names []string, is func(string) bool) (all []string) {
	for _, name := range names {
		if is(name) {
			all = append(all, name)
		}
	}
	return all
}

// collectTexts are the texts that stand under a key anywhere below a node, each once.
func collectTexts(n *yaml.Node, key string) (all []string) {
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

// acceptsText reports whether a value may be a text.
func acceptsText(t *schema.Type) bool {
	return t != nil && slices.ContainsFunc(flattenUnion(t), func(s *schema.Type) bool { return s.Kind == schema.Text || s.Kind == schema.Any })
}

// addAliases adds the anchors that an alias could repeat.
func (c *completer) addAliases(p *analysis.Chunk) {
	found := p.Tree.AnchorsBefore(c.offset)
	var names []string
	for name := range found {
		names = append(names, name)
	}
	if p.Header != nil {
		for name := range p.Header.AnchorsBefore(text.HeaderBase + len(p.Header.Source.Body)) {
			if found[name] == nil {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c.items = append(c.items, CompletionItem{Label: "*" + name, Kind: NameItem, Edit: text.Edit{Span: c.word, New: "*" + name}})
	}
}
