package assertion

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readText reads a look for one text.
func (r *listReader) readText(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	text, _ := value.Str()
	if text == "" {
		return r.skipWithoutValue(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.spanOf(value)
	return true
}

// readTexts reads a look for several texts.
func (r *listReader) readTexts(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	var texts []any
	for _, item := range value.List() {
		if text, ok := item.Str(); ok {
			texts = append(texts, text)
		} else {
			r.addLoss(ValueDropped, rubric.Silent, item, "")
		}
	}
	if len(texts) == 0 {
		return r.skipWithoutValue(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = texts, r.spanOf(value)
	return true
}

func (r *listReader) readRegex(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Flags, _ = n.Get("flags").Str()
	return r.readText(g, n)
}

// readIsJSON reads a look for JSON. The reference implementation has no use for the
// JSON Schema that may be its value.
func (r *listReader) readIsJSON(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if value := n.Get("value"); !value.IsNull() {
		g.Assert.Value, g.Assert.ValueSpan = value.Any(), r.spanOf(value)
	}
	return true
}

// skipWithoutValue skips an entry that has nothing to look for.
func (r *listReader) skipWithoutValue(n *yaml.Node) (keep bool) {
	at := n
	if value := n.Get("value"); value != nil {
		at = value
	}
	typ, _ := n.Get("type").Str()
	return r.skipEntry(ValueMissing, at, typ)
}
