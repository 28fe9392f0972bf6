package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// schemaContext is the place of a node in the field table.
type schemaContext struct {
	Type  *schema.Type  // the type of the value; nil if unknown
	Owner *schema.Type  // the selected variant of the enclosing mapping; nil outside a mapping
	Field *schema.Field // the field of Owner; nil for unknown keys and outside a mapping
}

// schemaContextOf returns the context of a node. List items have no field.
func schemaContextOf(p *analysis.Chunk, n *yaml.Node) schemaContext {
	if n.Parent == nil {
		if n != p.Tree.Root() && p.Role != agentv.Cases {
			return schemaContext{} // only the first YAML document is read
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

// schemaContextForKey returns the context of the value of a key.
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

// pairOf returns the pair that has n as its key or value, or nil.
func pairOf(n *yaml.Node) *yaml.Pair {
	if n.Parent == nil || n.Parent.Kind != yaml.Mapping || n.Index >= len(n.Parent.Pairs) {
		return nil
	}
	return n.Parent.Pairs[n.Index]
}

func isKey(n *yaml.Node) bool {
	pair := pairOf(n)
	return pair != nil && pair.Key == n
}

// resolveType narrows t to the type of an actual value: the matching choice of a union, and the
// selected variant of a mapping. It returns nil if the value does not match.
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

// selectVariant returns the variant of a mapping type that a mapping selects by its tag or its keys.
// It returns t, with the common fields, if none is selected.
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

// canonicalTag maps a common misnomer of a tag to the tag.
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

// value is a document root, list item or pair value, with its place in the field table.
type value struct {
	schemaContext
	node     *yaml.Node
	resolved *schema.Type // Type resolved for the node; nil if the node does not match
	pair     *yaml.Pair   // the pair of the value; nil for items and roots
	parent   *value       // nil for roots
}

// rootValues returns the roots of a chunk's documents.
func rootValues(p *analysis.Chunk) (all []value) {
	for i, doc := range p.Tree.Docs {
		v := value{node: doc.Root}
		if i == 0 || p.Role == agentv.Cases { // only the first YAML document is read
			v.Type = p.RootType()
		}
		v.resolved = resolveType(v.Type, v.node)
		all = append(all, v)
	}
	return all
}

// children returns list items and pair values. It does not follow aliases.
func (v value) children() (all []value) {
	for _, item := range v.node.Items {
		child := value{node: item}
		if v.resolved != nil {
			child.Type = v.resolved.Items
		}
		all = append(all, child)
	}
	for _, p := range v.node.Pairs {
		all = append(all, v.child(p))
	}
	for i := range all {
		all[i].parent = &v
		if all[i].node.Kind != yaml.Alias {
			all[i].resolved = resolveType(all[i].Type, all[i].node)
		}
	}
	return all
}

// child returns the value of a pair of the mapping.
func (v value) child(p *yaml.Pair) value {
	child := value{node: p.Value, pair: p}
	owner := v.resolved
	switch {
	case owner == nil || p.Key.Kind != yaml.Scalar:
	case !p.IsMerge():
		child.schemaContext = schemaContextForKey(owner, p.Key.Value)
	case p.Value.Kind == yaml.Sequence:
		child.schemaContext = schemaContext{Type: schema.ListOf(owner), Owner: owner}
	default:
		child.schemaContext = schemaContext{Type: owner, Owner: owner}
	}
	return child
}

// walkValues visits every value of a chunk's own tree in text order.
func walkValues(p *analysis.Chunk, visit func(value)) {
	var each func(value)
	each = func(v value) {
		visit(v)
		for _, child := range v.children() {
			each(child)
		}
	}
	for _, root := range rootValues(p) {
		each(root)
	}
}

// walkNodes visits every node of a chunk's own tree in text order.
func walkNodes(p *analysis.Chunk, visit func(*yaml.Node)) {
	for _, doc := range p.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			visit(n)
			return true
		})
	}
}

// scope returns which kind of mapping a value is, or is short for; "" if unknown.
func (v value) scope() agentv.Scope {
	if scope, ok := agentv.ScopeOf(v.resolved); ok {
		return scope
	}
	if v.Type == nil || v.node.Kind != yaml.Mapping && !(v.node.Kind == yaml.Scalar && acceptsPlainText(v.Type)) {
		return ""
	}
	for _, t := range v.Type.Choices {
		switch scope, ok := agentv.ScopeOf(t); {
		case !ok:
		case v.node.Kind == yaml.Mapping:
			return scope
		case scope == agentv.InCriterion || scope == agentv.InGrader: // a string among graders is a criterion
			return agentv.InCriterion
		}
	}
	return ""
}

// acceptsPlainText reports whether a string may stand for the full form of a type.
func acceptsPlainText(t *schema.Type) bool {
	return t != nil && slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return c.Kind == schema.Text })
}
