package assertion

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// text reads a look for one text.
func (r *reading) text(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	text, _ := value.Str()
	if text == "" {
		return r.valueless(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = text, r.span(value)
	return true
}

// texts reads a look for several texts.
func (r *reading) texts(g *rubric.Grader, n *yaml.Node) (keep bool) {
	value := n.Get("value")
	var texts []any
	for _, item := range value.List() {
		if text, ok := item.Str(); ok {
			texts = append(texts, text)
		} else {
			r.lose(ValueDropped, rubric.Silent, item, "")
		}
	}
	if len(texts) == 0 {
		return r.valueless(n)
	}
	g.Assert.Value, g.Assert.ValueSpan = texts, r.span(value)
	return true
}

func (r *reading) regex(g *rubric.Grader, n *yaml.Node) (keep bool) {
	g.Assert.Flags, _ = n.Get("flags").Str()
	return r.text(g, n)
}

// isJSON reads a look for JSON. The reference implementation has no use for the
// JSON Schema that may be its value.
func (r *reading) isJSON(g *rubric.Grader, n *yaml.Node) (keep bool) {
	if value := n.Get("value"); !value.IsNull() {
		g.Assert.Value, g.Assert.ValueSpan = value.Any(), r.span(value)
	}
	return true
}

// valueless skips an entry that has nothing to look for.
func (r *reading) valueless(n *yaml.Node) (keep bool) {
	at := n
	if value := n.Get("value"); value != nil {
		at = value
	}
	typ, _ := n.Get("type").Str()
	return r.skip(ValueMissing, at, typ)
}
