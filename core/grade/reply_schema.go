package grade

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

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

// Where the ids of checks and scores stand in a shape. Checks come first.
const checkIDs, scoreIDs = "ids of checks", "ids of scores"

// checkShape, scoreShape and mixedShape are schemas of replies about criteria of one
// form or both, but for the ids. They are made once: there is one for every question.
var (
	checkShape = sync.OnceValue(func() string { return shape(checkEntry()) })
	scoreShape = sync.OnceValue(func() string { return shape(scoreEntry()) })
	mixedShape = sync.OnceValue(func() string { return shape(map[string]any{"anyOf": []any{checkEntry(), scoreEntry()}}) })
)

func shape(check map[string]any) string {
	return string(encode(object(map[string]any{"checks": listOf(check), "overall_reasoning": typed("string")})))
}

func checkEntry() map[string]any {
	return object(map[string]any{
		"id": map[string]any{"enum": checkIDs}, "satisfied": typed("boolean"), "reasoning": typed("string"),
	})
}

func scoreEntry() map[string]any {
	return object(map[string]any{
		"id": map[string]any{"enum": scoreIDs}, "reasoning": typed("string"),
		"score": map[string]any{"type": "integer", "minimum": 0, "maximum": 10},
	})
}

// rubricSchema is the draft-07 schema of a reply about items.
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
	switch {
	case len(scores) == 0:
		return named(checkShape(), checkIDs, checks)
	case len(checks) == 0:
		return named(scoreShape(), scoreIDs, scores)
	}
	// The later ones first: an id that reads like a mark stands behind the mark.
	return named(string(named(mixedShape(), scoreIDs, scores)), checkIDs, checks)
}

// named is a shape with ids in the place of their mark.
func named(shape, mark string, ids []string) json.RawMessage {
	return json.RawMessage(strings.Replace(shape, `"`+mark+`"`, string(encode(ids)), 1))
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
