package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// value is a node that is a root, an item or a pair's value, with where it
// stands in the field table.
type value struct {
	schemaContext
	node     *yaml.Node
	resolved *schema.Type // what slot's type comes to for the node; nil if the node has another shape
	pair     *yaml.Pair   // whose value it is; nil for items and roots
	parent   *value       // what it is in; nil for roots
}

// rootValues are those of a part's documents.
func rootValues(p *analysis.Chunk) (all []value) {
	for i, doc := range p.Tree.Docs {
		v := value{node: doc.Root}
		if i == 0 || p.Role == agentv.Cases { // of YAML only the first document is read
			v.Type = p.RootType()
		}
		v.resolved = resolveType(v.Type, v.node)
		all = append(all, v)
	}
	return all
}

// children are a value's items, or the values of its pairs, as far as they are
// written there: what an alias stands for is looked at where that stands.
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

// child is the value of one of the mapping's pairs.
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

// walkValues visits every value of a part's own tree in the order of the text.
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

// place is the kind of mapping that a value is or, as a text, stands for; ""
// if it is none of those that have a name.
func (v value) place() agentv.Scope {
	if place, ok := agentv.ScopeOf(v.resolved); ok {
		return place
	}
	if v.Type == nil || v.node.Kind != yaml.Mapping && !(v.node.Kind == yaml.Scalar && acceptsPlainText(v.Type)) {
		return ""
	}
	for _, t := range v.Type.Choices {
		switch place, ok := agentv.ScopeOf(t); {
		case !ok:
		case v.node.Kind == yaml.Mapping:
			return place
		case place == agentv.InCriterion || place == agentv.InGrader: // a text among graders is a criterion
			return agentv.InCriterion
		}
	}
	return ""
}

// acceptsPlainText reports whether a text may stand for what a type has in full.
func acceptsPlainText(t *schema.Type) bool {
	return t != nil && slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return c.Kind == schema.Text })
}
