package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// valueName is the name that a scalar declares or refers to.
func valueName(p *analysis.Chunk, v value) (name Name, use Use, ok bool) {
	n := v.node
	if n.Kind != yaml.Scalar || n.IsNull() || n.Value == "" {
		return Name{}, Use{}, false
	}
	name = Name{Text: n.Value, Scope: -1}
	use = Use{Span: unquotedSpan(n), node: n}
	switch kind, scope := v.declaredName(); {
	case kind != "":
		name.Kind, use.IsDeclaration = kind, true
		if scope != nil {
			name.Scope = p.ToFile(scope.Span).Start
		}
	case v.refersToTarget():
		name.Kind = TargetName
	case v.refersToCase():
		name.Kind = CaseName
	default:
		return Name{}, Use{}, false
	}
	return name, use, true
}

// declaredName is the kind of name that a scalar gives to the mapping that it is in,
// and the node within which no other may have it; nil for the whole suite.
func (v value) declaredName() (NameKind, *yaml.Node) {
	if v.pair == nil || v.Owner == nil || v.node.Parent == nil {
		return "", nil
	}
	key, holder := v.pair.Key.Value, v.node.Parent
	switch place, _ := agentv.ScopeOf(v.Owner); {
	case isTargetType(v.Owner):
		if key == "name" || key == "label" || key == "id" && holder.Get("label") == nil && holder.Get("name") == nil {
			return TargetName, nil
		}
	case place == agentv.InCase && key == "id":
		return CaseName, nil
	case place == agentv.InCriterion && key == "id" && holder.Parent != nil:
		return CriterionName, holder.Parent
	case place == agentv.InGrader && slices.Contains(graderKeys, key):
		return GraderName, listOwner(holder)
	}
	return "", nil
}

// listOwner is the mapping in whose list a node stands, or the list or the
// node itself where there is none.
func listOwner(n *yaml.Node) *yaml.Node {
	for range 2 {
		if n.Parent != nil {
			n = n.Parent
		}
	}
	return n
}

// weightKeyName is the name that a key refers to: members' weights go by their names.
func weightKeyName(p *analysis.Chunk, v value) (Name, Use, bool) {
	weights := v.parent
	if weights == nil || weights.pair == nil || weights.pair.Key.Value != "weights" || weights.parent.graderKey() != "aggregator" || v.pair.Key.Kind != yaml.Scalar {
		return Name{}, Use{}, false
	}
	composite := weights.parent.parent
	key := v.pair.Key
	return Name{Kind: GraderName, Text: key.Value, Scope: p.ToFile(composite.node.Span).Start}, Use{Span: unquotedSpan(key), node: key}, true
}

// graderKey is the key that a value of a grader stands under, "" if it is none.
func (v *value) graderKey() string {
	if v == nil || v.pair == nil {
		return ""
	}
	if place, _ := agentv.ScopeOf(v.Owner); place != agentv.InGrader {
		return ""
	}
	return v.pair.Key.Value
}

// refersToTarget reports whether a text names a target.
func (v value) refersToTarget() bool {
	field, owner := v.field()
	if field == nil {
		return false
	}
	place, _ := agentv.ScopeOf(owner)
	switch field.Key {
	case "target":
		return place == agentv.InFile || place == agentv.InExecution
	case "judge_target":
		return isTargetType(owner)
	case "providers":
		return (place == agentv.InFile || place == agentv.InCase) && !strings.HasPrefix(v.node.Value, fileScheme)
	}
	return false
}

// refersToCase reports whether a text names a case of another file.
func (v value) refersToCase() bool {
	field, owner := v.field()
	return field != nil && (field.Key == "test_ids" && owner.Name == "selection" || field.Key == "select" && owner.Name == "included-tests")
}

// field is whose value it is, or, of an item, its list, and the mapping's type.
func (v value) field() (*schema.Field, *schema.Type) {
	if v.pair == nil && v.parent != nil {
		v = *v.parent
	}
	return v.Field, v.Owner
}
