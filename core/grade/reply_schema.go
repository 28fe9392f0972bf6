package grade

import (
	"encoding/json"
	"slices"

	"github.com/rubric-ls/rubric/core/judge"
)

// object is the JSON Schema of an object whose keys are all there and no more,
// the only kind that every provider's structured output takes.
func object(properties map[string]any) map[string]any {
	keys := make([]string, 0, len(properties))
	for k := range properties {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return map[string]any{"type": "object", "properties": properties, "required": keys, "additionalProperties": false}
}

func typed(name string) map[string]any { return map[string]any{"type": name} }

func listOf(item any) map[string]any { return map[string]any{"type": "array", "items": item} }

// rubricSchema is the draft-07 schema of a reply about items.
func rubricSchema(items []judge.Item) json.RawMessage {
	ids := map[bool][]string{}
	for _, i := range items {
		if !slices.Contains(ids[i.Ranged], i.ID) {
			ids[i.Ranged] = append(ids[i.Ranged], i.ID)
		}
	}
	var forms []any
	if checks := ids[false]; len(checks) > 0 {
		forms = append(forms, object(map[string]any{
			"id": map[string]any{"enum": checks}, "satisfied": typed("boolean"), "reasoning": typed("string"),
		}))
	}
	if scores := ids[true]; len(scores) > 0 {
		forms = append(forms, object(map[string]any{
			"id": map[string]any{"enum": scores}, "reasoning": typed("string"),
			"score": map[string]any{"type": "integer", "minimum": 0, "maximum": 10},
		}))
	}
	check := forms[0]
	if len(forms) > 1 {
		check = map[string]any{"anyOf": forms}
	}
	return encode(object(map[string]any{"checks": listOf(check), "overall_reasoning": typed("string")}))
}

func freeformSchema() json.RawMessage {
	return encode(object(map[string]any{
		"score": map[string]any{"type": "number", "minimum": 0, "maximum": 1},
		"hits":  listOf(typed("string")), "misses": listOf(typed("string")), "reasoning": typed("string"),
	}))
}

// encode cannot fail: schemas hold strings, numbers, booleans, lists and maps.
func encode(schema any) json.RawMessage {
	text, _ := json.Marshal(schema)
	return text
}
