package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// addKey colours the key of a pair.
func (tc *tokenCollector) addKey(v value) {
	key := v.pair.Key
	switch {
	case key.Kind == yaml.Alias:
		tc.add(key.Span, AnchorToken, unknownIf(key.Target == nil))
	case key.Kind != yaml.Scalar:
	case v.pair.IsMerge():
		tc.add(key.Span, KeywordToken, 0)
	case v.Owner == agentv.ScoreMapType:
		tc.add(key.Span, NumberToken, unknownIf(v.Type == nil))
	default:
		tc.add(key.Span, KeyToken, v.keyModifiers())
	}
}

// keyModifiers says of a key whether anybody reads it, still or at all.
func (v value) keyModifiers() Modifiers {
	key := v.pair.Key.Value
	switch place, _ := agentv.ScopeOf(v.Owner); {
	case v.Owner == nil:
		return 0
	case v.Field != nil && (v.Field.RemovedIn != "" || isOlderName(v.Field, key)):
		return DeprecatedModifier
	case v.Type != nil:
		return 0
	case agentv.LookupConcept(key, place) != nil:
		return DeprecatedModifier | UnknownModifier
	}
	return UnknownModifier
}

// isOlderName reports whether a name of a field is read for the sake of older files
// only.
func isOlderName(f *schema.Field, name string) bool { return slices.Contains(f.DeprecatedNames, name) }
