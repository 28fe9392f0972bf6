// Package syntax relates the nodes of a chunk to the field table, and finds words and styles in its text.
package syntax

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// EnclosingField returns the nearest field that contains a node.
func EnclosingField(p *analysis.Chunk, n *yaml.Node) *schema.Field {
	for up := n.Parent; up != nil; up = up.Parent {
		if f := ContextOf(p, up).Field; f != nil {
			return f
		}
	}
	return nil
}

// Context is the place of a node in the field table.
type Context struct {
	Type  *schema.Type  // the type of the value; nil if unknown
	Owner *schema.Type  // the selected variant of the enclosing mapping; nil outside a mapping
	Field *schema.Field // the field of Owner; nil for unknown keys and outside a mapping
}

// ContextOf returns the context of a node. List items have no field.
func ContextOf(p *analysis.Chunk, n *yaml.Node) Context {
	if n.Parent == nil {
		if n != p.Tree.Root() && p.Role != agentv.Cases {
			return Context{} // only the first YAML document is read
		}
		return Context{Type: p.RootType()}
	}
	above := ResolveType(ContextOf(p, n.Parent).Type, n.Parent)
	switch {
	case above == nil:
		return Context{}
	case n.Parent.Kind == yaml.Sequence:
		return Context{Type: above.Items}
	}
	key := cmp.Or(generic.OrZero(PairOf(n)).Key, n)
	return ContextForKey(above, key.Value)
}

// ContextForKey returns the context of the value of a key.
func ContextForKey(owner *schema.Type, key string) Context {
	s := Context{Owner: owner, Field: owner.Field(key)}
	switch {
	case s.Field != nil:
		s.Type = s.Field.TypeAs(key)
	case owner.OtherNames == nil || slices.Contains(owner.OtherNames, key):
		s.Type = owner.OtherValues
	}
	return s
}

// PairOf returns the pair that has n as its key or value, or nil.
func PairOf(n *yaml.Node) *yaml.Pair {
	if n.Parent == nil || n.Parent.Kind != yaml.Mapping || n.Index >= len(n.Parent.Pairs) {
		return nil
	}
	return n.Parent.Pairs[n.Index]
}

// IsKey reports whether n is the key of a pair.
func IsKey(n *yaml.Node) bool {
	pair := PairOf(n)
	return pair != nil && pair.Key == n
}

// ResolveType narrows t to the type of an actual value: the matching choice of a union, and the
// selected variant of a mapping. It returns nil if the value does not match.
func ResolveType(t *schema.Type, n *yaml.Node) *schema.Type {
	target := n.Follow()
	if t == nil || target == nil {
		return nil
	}
	switch t.Kind {
	case schema.Union:
		for _, choice := range t.Choices {
			if s := ResolveType(choice, n); s != nil {
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

// selectVariant returns the variant of a mapping type that a mapping selects by its tag or its keys.
// It returns t, with the common fields, if none is selected.
func selectVariant(t *schema.Type, n *yaml.Node) *schema.Type {
	if len(t.Choices) == 0 {
		return t
	}
	if tag, ok := n.Get(t.Tag).Str(); ok && t.Tag != "" {
		tags := t.Field(t.Tag).Type
		if v := t.VariantByTag(cmp.Or(schema.FindSynonym(tag, slices.Concat(tags.Values, tags.KnownValues)), tag)); v != nil {
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

// Value is a document root, list item or pair value, with its place in the field table.
type Value struct {
	Context
	Node     *yaml.Node
	Resolved *schema.Type // Type resolved for the node; nil if the node does not match
	Pair     *yaml.Pair   // the pair of the value; nil for items and roots
	Parent   *Value       // nil for roots
}

// RootValues returns the roots of a chunk's documents.
func RootValues(p *analysis.Chunk) (all []Value) {
	for i, doc := range p.Tree.Docs {
		v := Value{Node: doc.Root}
		if i == 0 || p.Role == agentv.Cases { // only the first YAML document is read
			v.Type = p.RootType()
		}
		v.Resolved = ResolveType(v.Type, v.Node)
		all = append(all, v)
	}
	return all
}

// Children returns list items and pair values. It does not follow aliases.
func (v Value) Children() (all []Value) {
	for _, item := range v.Node.Items {
		child := Value{Node: item}
		if v.Resolved != nil {
			child.Type = v.Resolved.Items
		}
		all = append(all, child)
	}
	for _, p := range v.Node.Pairs {
		all = append(all, v.child(p))
	}
	for i := range all {
		all[i].Parent = &v
		if all[i].Node.Kind != yaml.Alias {
			all[i].Resolved = ResolveType(all[i].Type, all[i].Node)
		}
	}
	return all
}

// child returns the value of a pair of the mapping.
func (v Value) child(p *yaml.Pair) Value {
	child := Value{Node: p.Value, Pair: p}
	owner := v.Resolved
	switch {
	case owner == nil || p.Key.Kind != yaml.Scalar:
	case !p.IsMerge():
		child.Context = ContextForKey(owner, p.Key.Value)
	case p.Value.Kind == yaml.Sequence:
		child.Context = Context{Type: schema.ListOf(owner), Owner: owner}
	default:
		child.Context = Context{Type: owner, Owner: owner}
	}
	return child
}

// WalkValues visits every value of a chunk's own tree in text order.
func WalkValues(p *analysis.Chunk, visit func(Value)) {
	var each func(Value)
	each = func(v Value) {
		visit(v)
		for _, child := range v.Children() {
			each(child)
		}
	}
	for _, root := range RootValues(p) {
		each(root)
	}
}

// Scope returns which kind of mapping a value is, or is short for; "" if unknown.
func (v Value) Scope() agentv.Scope {
	if scope, ok := agentv.ScopeOf(v.Resolved); ok {
		return scope
	}
	if v.Type == nil || v.Node.Kind != yaml.Mapping && !(v.Node.Kind == yaml.Scalar && AcceptsPlainText(v.Type)) {
		return ""
	}
	for _, t := range v.Type.Choices {
		switch scope, ok := agentv.ScopeOf(t); {
		case !ok:
		case v.Node.Kind == yaml.Mapping:
			return scope
		case scope == agentv.InCriterion || scope == agentv.InGrader: // a string among graders is a criterion
			return agentv.InCriterion
		}
	}
	return ""
}
