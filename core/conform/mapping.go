package conform

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (c *checker) mapping(t *schema.Type, n *yaml.Node) {
	if t.Variants() {
		if t = c.variant(t, n); t == nil {
			return
		}
	}
	written := map[*schema.Field]*yaml.Pair{}
	for _, p := range n.Entries() {
		c.pair(t, n, p, written)
	}
	if n.Follow().Recovered {
		return
	}
	for _, f := range t.Fields {
		if f.Required && written[f] == nil {
			c.add(Mismatch{Kind: MissingKey, Node: n, Span: head(n), Type: f.Type, Key: f.Key}, place{owner: t, field: f})
		}
	}
	if t.Some != nil && !slices.ContainsFunc(t.Some, func(key string) bool { return n.Get(key) != nil }) {
		c.add(Mismatch{Kind: NoneOf, Node: n, Span: head(n), Type: t}, place{owner: t})
	}
}

// variant chooses by the tag, or by the keys where there is none. Without a good
// tag nothing more can be said of the mapping, but that is said; one that is
// another name of a good one chooses as that does.
func (c *checker) variant(t *schema.Type, n *yaml.Node) *schema.Type {
	tag := n.Get(t.Tag)
	if t.Tag == "" || tag == nil {
		if v := t.Signed(func(key string) bool { return n.Get(key) != nil }); v != nil {
			return v
		}
	}
	field := t.Field(t.Tag)
	if tag == nil {
		if !n.Follow().Recovered {
			c.add(Mismatch{Kind: MissingKey, Node: n, Span: head(n), Type: field.Type, Key: t.Tag}, place{owner: t, field: field})
		}
		return nil
	}
	value, ok := tag.Str()
	if v := t.Variant(value); ok && v != nil {
		return v
	}
	if ok && renamed(value, field.Type.Known) != "" {
		return t.Variant(renamed(value, field.Type.Known)) // which checks the tag as well
	}
	c.value(field.Type, tag, place{owner: t, field: field, key: n.Pair(t.Tag).Key})
	return nil
}

func (c *checker) pair(t *schema.Type, n *yaml.Node, p *yaml.Pair, written map[*schema.Field]*yaml.Pair) {
	key := p.Key.Follow()
	if key == nil || key.Kind != yaml.Scalar {
		c.add(Mismatch{Kind: UnknownKey, Node: n, Span: p.Key.Span}, place{owner: t})
		return
	}
	f := t.Field(key.Value)
	m := Mismatch{Node: n, Span: p.Key.Span, Key: key.Value}
	switch {
	case f == nil:
		c.free(t, p, m)
	case f.Retired != "":
		m.Kind, m.Near = RetiredKey, f.Instead
		c.add(m, place{owner: t, field: f})
	default:
		counts, ignored := p, written[f]
		if ignored != nil && rank(f, ignored) < rank(f, p) {
			counts, ignored = ignored, p
		}
		if ignored != nil && ignored.Key.Value != counts.Key.Value {
			m.Kind, m.Span, m.Key, m.Other = TwoNames, ignored.Key.Span, ignored.Key.Value, counts.Key.Span
			c.add(m, place{owner: t, field: f})
		}
		written[f] = counts
		if slices.Contains(f.Older, key.Value) {
			m.Kind, m.Near = OlderName, newest(f)
			c.add(m, place{owner: t, field: f})
		}
		c.value(f.TypeAs(key.Value), p.Value, place{owner: t, field: f, key: p.Key})
	}
}

// newest is the name to write for a field, "" if all of them are old.
func newest(f *schema.Field) string {
	for _, name := range f.Names() {
		if !slices.Contains(f.Older, name) {
			return name
		}
	}
	return ""
}

// rank is which of a field's names a pair uses; the first counts.
func rank(f *schema.Field, p *yaml.Pair) int {
	name := p.Key.Follow().Value
	if name == f.Counts {
		return -1
	}
	return slices.Index(f.Names(), name)
}

// free is a key that is no field.
func (c *checker) free(t *schema.Type, p *yaml.Pair, m Mismatch) {
	if t.Rest == nil || t.Names != nil && !slices.Contains(t.Names, m.Key) {
		m.Kind, m.Near = UnknownKey, cmp.Or(misnamed(t, m.Key), spell.Nearest(m.Key, names(t)))
		c.add(m, place{owner: t})
		return
	}
	c.value(t.Rest, p.Value, place{owner: t, key: p.Key})
}

// misnamed is the key that people mean by one which is none; "" if there is none.
func misnamed(t *schema.Type, key string) string {
	for _, f := range t.Fields {
		if slices.Contains(f.Not, key) {
			return f.Key
		}
	}
	return ""
}

// names are the keys that t may have.
func names(t *schema.Type) []string {
	out := slices.Clone(t.Names)
	for _, f := range t.Fields {
		if f.Retired == "" {
			out = append(out, f.Names()...)
		}
	}
	return out
}

// head is where a mapping is shown as a whole: its first key.
func head(n *yaml.Node) text.Span {
	if target := n.Follow(); n.Kind != yaml.Alias && len(target.Pairs) > 0 {
		return target.Pairs[0].Key.Span
	}
	return n.Span
}
