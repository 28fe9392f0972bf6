package grade

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/judge"
)

// objectSchema returns the JSON Schema of an object with exactly these keys, the only form that
// every provider's structured output accepts.
func objectSchema(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": slices.Sorted(maps.Keys(properties)), "additionalProperties": false}
}

func typeSchema(name string) map[string]any { return map[string]any{"type": name} }

func arraySchema(item any) map[string]any { return map[string]any{"type": "array", "items": item} }

// rubricSchema returns the draft-07 schema of a reply about items.
func rubricSchema(items []judge.Item) json.RawMessage {
	var checks, scores []string
	for _, i := range items {
		ids := &checks
		if i.Ranged {
			ids = &scores
		}
		if !slices.Contains(*ids, i.ID) {
			*ids = append(*ids, i.ID)
		}
	}
	check := objectSchema(map[string]any{
		"id": map[string]any{"enum": checks}, "satisfied": typeSchema("boolean"), "reasoning": typeSchema("string"),
	})
	scored := objectSchema(map[string]any{
		"id": map[string]any{"enum": scores}, "reasoning": typeSchema("string"),
		"score": map[string]any{"type": "integer", "minimum": 0, "maximum": 10},
	})
	switch {
	case len(checks) > 0 && len(scores) > 0:
		check = map[string]any{"anyOf": []any{check, scored}}
	case len(scores) > 0:
		check = scored
	}
	return encodeSchema(objectSchema(map[string]any{"checks": arraySchema(check), "overall_reasoning": typeSchema("string")}))
}

func freeformSchema() json.RawMessage {
	return encodeSchema(objectSchema(map[string]any{
		"score": map[string]any{"type": "number", "minimum": 0, "maximum": 1},
		"hits":  arraySchema(typeSchema("string")), "misses": arraySchema(typeSchema("string")), "reasoning": typeSchema("string"),
	}))
}

// encodeSchema encodes a schema. It cannot fail: schemas hold strings, numbers, booleans, lists and
// maps.
func encodeSchema(schema any) json.RawMessage {
	text, _ := json.Marshal(schema)
	return text
}
