package assertion

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// commonKeys are the keys that every entry may have.
var commonKeys = []string{"type", "weight", "required", "min_score", "negate"}

// readCustom is a type that the runner does not know: a plugin's, which is given all
// keys.
func (r *listReader) readCustom(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Config = r.otherKeys(n, nil)
	return true
}

// readService reads what an interpreter or a service is given.
func (r *listReader) readService(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	text, _ := value.Str()
	if strings.TrimSpace(text) == "" {
		return r.skipWithoutValue(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.spanOf(value)
	r.readThreshold(g, n.Get("threshold"))
	g.Assert.Config = r.mergeConfig(n, nil)
	if provider := n.Get("provider"); provider != nil {
		g.Assert.Config = maps.Clone(g.Assert.Config)
		if g.Assert.Config == nil {
			g.Assert.Config = map[string]any{}
		}
		g.Assert.Config["provider"] = provider.Any()
	}
	return true
}

// readTrace reads a look at what the system under test did.
func (r *listReader) readTrace(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if value := n.Get("value"); !value.IsNull() {
		g.Assert.Value, g.Assert.ValueSpan = value.Any(), r.spanOf(value)
	}
	r.readThreshold(g, n.Get("threshold"))
	g.Assert.Config = r.mergeConfig(n, r.otherKeys(n, []string{"value", "threshold", "config"}))
	return true
}

// readSkill reads Stable's look at whether a skill was used.
func (r *listReader) readSkill(g *rubric.Grader, n *yaml.Node) (keep bool) {
	name := n.Get("skill")
	text, _ := name.Str()
	if text == "" {
		return r.skipEntry(ValueMissing, n, "skill")
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.spanOf(name)
	if g.Name == g.Assert.Type {
		g.Name += "-" + text
	}
	g.Assert.Config = r.otherKeys(n, []string{"skill"})
	return true
}

// otherKeys is what an entry holds besides what every entry may have and known; nil
// if that is all.
func (r *listReader) otherKeys(n *yaml.Node, known []string) map[string]any {
	var rest map[string]any
	for _, p := range n.Entries() {
		key := p.Key.Value
		if key == r.keys.graderName || slices.Contains(commonKeys, key) || slices.Contains(known, key) {
			continue
		}
		if rest == nil {
			rest = map[string]any{}
		}
		rest[key] = p.Value.Any()
	}
	return rest
}

// mergeConfig adds to what an entry holds otherwise what its set hands on, and what
// is under its own `config`, which counts most.
func (r *listReader) mergeConfig(n *yaml.Node, rest map[string]any) map[string]any {
	own, _ := n.Get("config").Any().(map[string]any)
	if len(rest)+len(r.inheritedConfig)+len(own) == 0 {
		return nil
	}
	all := map[string]any{}
	maps.Copy(all, rest)
	maps.Copy(all, r.inheritedConfig)
	maps.Copy(all, own)
	return all
}
