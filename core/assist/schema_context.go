package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// schemaContext is a place in the field table: what a value there may be, and the field
// that it is the value of.
type schemaContext struct {
	Type  *schema.Type  // nil where nobody can tell
	Owner *schema.Type  // the mapping it is in, as the variant that it is; nil outside of one
	Field *schema.Field // of the mapping; nil for a key that is none, and outside of a mapping
}

// schemaContextOf is where a node stands. Items of lists have no field.
func schemaContextOf(p *analysis.Chunk, n *yaml.Node) schemaContext {
	if n.Parent == nil {
		if n != p.Tree.Root() && p.Role != agentv.Cases {
			return schemaContext{} // of YAML only the first document is read
		}
		return schemaContext{Type: p.RootType()}
	}
	above := resolveType(schemaContextOf(p, n.Parent).Type, n.Parent)
	switch {
	case above == nil:
		return schemaContext{}
	case n.Parent.Kind == yaml.Sequence:
		return schemaContext{Type: above.Items}
	}
	key := n
	if pair := pairOf(n); pair != nil {
		key = pair.Key
	}
	return schemaContextForKey(above, key.Value)
}

// schemaContextForKey is where the value of a mapping's key stands.
func schemaContextForKey(owner *schema.Type, key string) schemaContext {
	s := schemaContext{Owner: owner, Field: owner.Field(key)}
	switch {
	case s.Field != nil:
		s.Type = s.Field.TypeAs(key)
	case owner.OtherNames == nil || slices.Contains(owner.OtherNames, key):
		s.Type = owner.OtherValues
	}
	return s
}

// pairOf is the entry that a node is the key or the value of, nil if none.
func pairOf(n *yaml.Node) *yaml.Pair {
	if n.Parent == nil || n.Parent.Kind != yaml.Mapping || n.Index >= len(n.Parent.Pairs) {
		return nil
	}
	return n.Parent.Pairs[n.Index]
}

// isKey reports whether a node is a mapping's key.
func isKey(n *yaml.Node) bool {
	pair := pairOf(n)
	return pair != nil && pair.Key == n
}

// resolveType is what a type comes to for a value that is there: of a union the
// shape that it has, of a mapping the variant that it chooses, or what all
// variants share where it chooses none. Nil if the value has another shape.
func resolveType(t *schema.Type, n *yaml.Node) *schema.Type {
	target := n.Follow()
	if t == nil || target == nil {
		return nil
	}
	switch t.Kind {
	case schema.Union:
		for _, choice := range t.Choices {
			if s := resolveType(choice, n); s != nil {
				return s
			}
		}
		return nil
	case schema.Map:
		if target.Kind != yaml.Mapping {
			return nil
		}
		return selectVariant(t, n)
	case schema.List:
		if target.Kind != yaml.Sequence {
			return nil
		}
	case schema.Text, schema.Number, schema.Bool:
		if target.Kind != yaml.Scalar {
			return nil
		}
	}
	return t
}

// selectVariant is the variant of a mapping's type that the mapping chooses, by its tag
// or by what keys it has, or the type itself, which has what all variants share.
func selectVariant(t *schema.Type, n *yaml.Node) *schema.Type {
	if len(t.Choices) == 0 {
		return t
	}
	if tag, ok := n.Get(t.Tag).Str(); ok && t.Tag != "" {
		if v := t.VariantByTag(canonicalTag(t.Field(t.Tag), tag)); v != nil {
			return v
		}
	}
	if t.Tag == "" || n.Get(t.Tag) == nil {
		if v := t.VariantByKey(func(key string) bool { return n.Get(key) != nil }); v != nil {
			return v
		}
	}
	return t
}

// canonicalTag is the tag that people mean by another name of it.
func canonicalTag(f *schema.Field, tag string) string {
	if f == nil {
		return tag
	}
	for _, v := range slices.Concat(f.Type.Values, f.Type.KnownValues) {
		if slices.Contains(v.Synonyms, tag) {
			return v.Text
		}
	}
	return tag
}
