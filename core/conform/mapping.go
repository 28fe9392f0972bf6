package conform

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (c *checker) checkMapping(t *schema.Type, n *yaml.Node) {
	if t.HasVariants() {
		if t = c.chooseVariant(t, n); t == nil {
			return
		}
	}
	written := map[*schema.Field]*yaml.Pair{}
	for _, p := range n.Entries() {
		c.checkPair(t, n, p, written)
	}
	if n.Follow().Recovered {
		return
	}
	for _, f := range t.Fields {
		if f.Required && written[f] == nil {
			c.report(Mismatch{Kind: MissingKey, Node: n, Span: firstKeySpan(n), Type: f.Type, Key: f.Key}, location{owner: t, field: f})
		}
	}
	if t.RequireAny != nil && !slices.ContainsFunc(t.RequireAny, func(key string) bool { return n.Get(key) != nil }) {
		c.report(Mismatch{Kind: MissingAnyOf, Node: n, Span: firstKeySpan(n), Type: t}, location{owner: t})
	}
}

// chooseVariant chooses by the tag, or by the keys where there is none. Without a good
// tag nothing more can be said of the mapping, but that is said; one that is
// another name of a good one chooses as that does.
func (c *checker) chooseVariant(t *schema.Type, n *yaml.Node) *schema.Type {
	tag := n.Get(t.Tag)
	if t.Tag == "" || tag == nil {
		if v := t.VariantByKey(func(key string) bool { return n.Get(key) != nil }); v != nil {
			return v
		}
	}
	field := t.Field(t.Tag)
	if tag == nil {
		if !n.Follow().Recovered {
			c.report(Mismatch{Kind: MissingKey, Node: n, Span: firstKeySpan(n), Type: field.Type, Key: t.Tag}, location{owner: t, field: field})
		}
		return nil
	}
	value, ok := tag.Str()
	if v := t.VariantByTag(value); ok && v != nil {
		return v
	}
	if ok && findSynonym(value, field.Type.KnownValues) != "" {
		return t.VariantByTag(findSynonym(value, field.Type.KnownValues)) // which checks the tag as well
	}
	c.checkValue(field.Type, tag, location{owner: t, field: field, key: n.Pair(t.Tag).Key})
	return nil
}

func (c *checker) checkPair(t *schema.Type, n *yaml.Node, p *yaml.Pair, written map[*schema.Field]*yaml.Pair) {
	key := p.Key.Follow()
	if key == nil || key.Kind != yaml.Scalar {
		c.report(Mismatch{Kind: UnknownKey, Node: n, Span: p.Key.Span}, location{owner: t})
		return
	}
	f := t.Field(key.Value)
	m := Mismatch{Node: n, Span: p.Key.Span, Key: key.Value}
	switch {
	case f == nil:
		c.checkOtherKey(t, p, m)
	case f.RemovedIn != "":
		m.Kind, m.Suggestion = RemovedKey, f.ReplacedBy
		c.report(m, location{owner: t, field: f})
	default:
		effective, ignored := p, written[f]
		if ignored != nil && namePriority(f, ignored) < namePriority(f, p) {
			effective, ignored = ignored, p
		}
		if ignored != nil && ignored.Key.Value != effective.Key.Value {
			m.Kind, m.Span, m.Key, m.OtherSpan = TwoNames, ignored.Key.Span, ignored.Key.Value, effective.Key.Span
			c.report(m, location{owner: t, field: f})
		}
		written[f] = effective
		if slices.Contains(f.DeprecatedNames, key.Value) {
			m.Kind, m.Suggestion = DeprecatedName, currentName(f)
			c.report(m, location{owner: t, field: f})
		}
		c.checkValue(f.TypeAs(key.Value), p.Value, location{owner: t, field: f, key: p.Key})
	}
}

// currentName is the name to write for a field, "" if all of them are old.
func currentName(f *schema.Field) string {
	for _, name := range f.Names() {
		if !slices.Contains(f.DeprecatedNames, name) {
			return name
		}
	}
	return ""
}

// namePriority is which of a field's names a pair uses; the first counts.
func namePriority(f *schema.Field, p *yaml.Pair) int {
	name := p.Key.Follow().Value
	if name == f.WinningName {
		return -1
	}
	return slices.Index(f.Names(), name)
}

// checkOtherKey is a key that is no field.
func (c *checker) checkOtherKey(t *schema.Type, p *yaml.Pair, m Mismatch) {
	if t.OtherValues == nil || t.OtherNames != nil && !slices.Contains(t.OtherNames, m.Key) {
		m.Kind, m.Suggestion = UnknownKey, cmp.Or(findMisnomer(t, m.Key), spell.Nearest(m.Key, allowedKeys(t)))
		c.report(m, location{owner: t})
		return
	}
	c.checkValue(t.OtherValues, p.Value, location{owner: t, key: p.Key})
}

// findMisnomer is the key that people mean by one which is none; "" if there is none.
func findMisnomer(t *schema.Type, key string) string {
	for _, f := range t.Fields {
		if slices.Contains(f.Misnomers, key) {
			return f.Key
		}
	}
	return ""
}

// allowedKeys are the keys that t may have.
func allowedKeys(t *schema.Type) []string {
	out := slices.Clone(t.OtherNames)
	for _, f := range t.Fields {
		if f.RemovedIn == "" {
			out = append(out, f.Names()...)
		}
	}
	return out
}

// firstKeySpan is where a mapping is shown as a whole: its first key.
func firstKeySpan(n *yaml.Node) text.Span {
	if target := n.Follow(); n.Kind != yaml.Alias && len(target.Pairs) > 0 {
		return target.Pairs[0].Key.Span
	}
	return n.Span
}
