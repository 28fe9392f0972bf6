package assertion

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// gates are the keys that every entry may have.
var gates = []string{"type", "weight", "required", "min_score", "negate"}

// custom is a type that the runner does not know: a plugin's, which is given all
// keys.
func (r *reading) custom(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Config = r.rest(n, nil)
	return true
}

// service reads what an interpreter or a service is given.
func (r *reading) service(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	text, _ := value.Str()
	if strings.TrimSpace(text) == "" {
		return r.valueless(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.span(value)
	r.threshold(g, n.Get("threshold"))
	g.Assert.Config = r.config(n, nil)
	if provider := n.Get("provider"); provider != nil {
		g.Assert.Config = maps.Clone(g.Assert.Config)
		if g.Assert.Config == nil {
			g.Assert.Config = map[string]any{}
		}
		g.Assert.Config["provider"] = provider.Any()
	}
	return true
}

// trace reads a look at what the system under test did.
func (r *reading) trace(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if value := n.Get("value"); !value.IsNull() {
		g.Assert.Value, g.Assert.ValueSpan = value.Any(), r.span(value)
	}
	r.threshold(g, n.Get("threshold"))
	g.Assert.Config = r.config(n, r.rest(n, []string{"value", "threshold", "config"}))
	return true
}

// skill reads Stable's look at whether a skill was used.
func (r *reading) skill(g *rubric.Grader, n *yaml.Node) (keep bool) {
	name := n.Get("skill")
	text, _ := name.Str()
	if text == "" {
		return r.skip(ValueMissing, n, "skill")
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.span(name)
	if g.Name == g.Assert.Type {
		g.Name += "-" + text
	}
	g.Assert.Config = r.rest(n, []string{"skill"})
	return true
}

// rest is what an entry holds besides what every entry may have and known; nil
// if that is all.
func (r *reading) rest(n *yaml.Node, known []string) map[string]any {
	var rest map[string]any
	for _, p := range n.Entries() {
		key := p.Key.Value
		if key == r.words.name || slices.Contains(gates, key) || slices.Contains(known, key) {
			continue
		}
		if rest == nil {
			rest = map[string]any{}
		}
		rest[key] = p.Value.Any()
	}
	return rest
}

// config adds to what an entry holds otherwise what its set hands on, and what
// is under its own `config`, which counts most.
func (r *reading) config(n *yaml.Node, rest map[string]any) map[string]any {
	own, _ := n.Get("config").Any().(map[string]any)
	if len(rest)+len(r.shared)+len(own) == 0 {
		return nil
	}
	all := map[string]any{}
	maps.Copy(all, rest)
	maps.Copy(all, r.shared)
	maps.Copy(all, own)
	return all
}
