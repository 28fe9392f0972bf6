package assertion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readText reads a check for one text.
func (r *listReader) readText(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if n.Get("value").Text() == "" {
		return r.skipWithoutValue(n)
	}
	return r.readAny(g, n)
}

// readTexts reads a check for several texts.
func (r *listReader) readTexts(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	var texts []any
	for _, item := range value.List() {
		if text, ok := item.Str(); ok {
			texts = append(texts, text)
		} else {
			r.AddLoss(ValueDropped, rubric.Silent, item, "")
		}
	}
	if len(texts) == 0 {
		return r.skipWithoutValue(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = texts, r.SpanOf(value)
	return true
}

func (r *listReader) readRegex(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Flags = n.Get("flags").Text()
	return r.readText(g, n)
}

// readAny reads any value, which may be absent. That of a check for JSON may be a JSON Schema, which the
// reference implementation ignores.
func (r *listReader) readAny(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if value := n.Get("value"); !value.IsNull() {
		g.Assert.Value, g.Assert.ValueSpan = value.Any(), r.SpanOf(value)
	}
	return true
}

// skipWithoutValue skips an entry that has no value to check for.
func (r *listReader) skipWithoutValue(n *yaml.Node) (keep bool) {
	return r.Skip(ValueMissing, cmp.Or(n.Get("value"), n), n.Get("type").Text())
}

// commonKeys are the keys that every entry may have.
var commonKeys = []string{"type", "weight", "required", "min_score", "negate"}

// readCustom reads a type that the runner does not know. Such a type belongs to a plugin, which
// receives all keys.
func (r *listReader) readCustom(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Config = r.otherKeys(n, nil)
	return true
}

// readService reads a grader that an interpreter or a service runs.
func (r *listReader) readService(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if text := n.Get("value").Text(); strings.TrimSpace(text) == "" {
		return r.skipWithoutValue(n)
	}
	r.readAny(g, n)
	r.readThreshold(g, n.Get("threshold"))
	g.Assert.Config = r.mergeConfig(n, nil)
	if provider := n.Get("provider"); provider != nil {
		if g.Assert.Config == nil {
			g.Assert.Config = map[string]any{}
		}
		g.Assert.Config["provider"] = provider.Any()
	}
	return true
}

// readTrace reads a check of the target's trace.
func (r *listReader) readTrace(g *rubric.Grader, n *yaml.Node) (keep bool) {
	r.readAny(g, n)
	if strings.HasPrefix(g.Assert.Type, trajectoryPrefix) {
		g.Assert.Inverse, g.Negate = g.Assert.Inverse || g.Negate, false
	} else if g.Negate {
		r.AddLoss(NegateTwice, rubric.Silent, n.Get("negate"), "")
	}
	r.readThreshold(g, n.Get("threshold"))
	g.Assert.Config = r.mergeConfig(n, r.otherKeys(n, []string{"value", "threshold", "config"}))
	return true
}

// readSkill reads V4's check for the use of a skill.
func (r *listReader) readSkill(g *rubric.Grader, n *yaml.Node) (keep bool) {
	name := n.Get("skill")
	text := name.Text()
	if text == "" {
		return r.Skip(ValueMissing, n, "skill")
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.SpanOf(name)
	if g.Name == g.Assert.Type {
		g.Name += "-" + text
	}
	g.Assert.Config = r.otherKeys(n, []string{"skill"})
	return true
}

// otherKeys returns the keys of an entry except the common and the known ones, or nil.
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

// mergeConfig merges rest, the set's config and the entry's own `config`. Later ones take
// precedence.
func (r *listReader) mergeConfig(n *yaml.Node, rest map[string]any) map[string]any {
	own, _ := n.Get("config").Any().(map[string]any)
	if len(rest)+len(r.inheritedConfig)+len(own) == 0 {
		return nil
	}
	return javascript.Assign(rest, r.inheritedConfig, own)
}
