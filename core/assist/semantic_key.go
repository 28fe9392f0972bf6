package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// key colours the key of a pair.
func (c *coloring) key(v value) {
	key := v.pair.Key
	switch {
	case key.Kind == yaml.Alias:
		c.add(key.Span, AnchorToken, unknownIf(key.Target == nil))
	case key.Kind != yaml.Scalar:
	case v.pair.Merges():
		c.add(key.Span, WordToken, 0)
	case v.Owner == agentv.ScoreMapType:
		c.add(key.Span, NumberToken, unknownIf(v.Type == nil))
	default:
		c.add(key.Span, KeyToken, v.keyState())
	}
}

// keyState says of a key whether anybody reads it, still or at all.
func (v value) keyState() Modifiers {
	key := v.pair.Key.Value
	switch place, _ := agentv.PlaceOf(v.Owner); {
	case v.Owner == nil:
		return 0
	case v.Field != nil && (v.Field.Retired != "" || isOld(v.Field, key)):
		return Deprecated
	case v.Type != nil:
		return 0
	case agentv.ConceptOf(key, place) != nil:
		return Deprecated | Unknown
	}
	return Unknown
}

// isOld reports whether a name of a field is read for the sake of older files
// only.
func isOld(f *schema.Field, name string) bool { return slices.Contains(f.Older, name) }
