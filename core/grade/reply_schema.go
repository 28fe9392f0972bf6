package grade

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/judge"
)

// objectSchema returns the JSON Schema of an object with exactly these keys, the only form that
// every provider's structured output accepts.
func objectSchema(properties map[string]any) map[string]any {
	keys := make([]string, 0, len(properties))
	for k := range properties {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return map[string]any{"type": "object", "properties": properties, "required": keys, "additionalProperties": false}
}

func typeSchema(name string) map[string]any { return map[string]any{"type": name} }

func arraySchema(item any) map[string]any { return map[string]any{"type": "array", "items": item} }

// Placeholders for the ids of checks and scores in a reply shape. Checks come first.
const checkIDs, scoreIDs = "ids of checks", "ids of scores"

// checkShape, scoreShape and mixedShape are the schemas of replies about criteria of one form
// or both, with placeholders for the ids. They are built once, because every question needs
// one.
var (
	checkShape = sync.OnceValue(func() string { return replyShape(checkEntry()) })
	scoreShape = sync.OnceValue(func() string { return replyShape(scoreEntry()) })
	mixedShape = sync.OnceValue(func() string { return replyShape(map[string]any{"anyOf": []any{checkEntry(), scoreEntry()}}) })
)

func replyShape(check map[string]any) string {
	return string(encodeSchema(objectSchema(map[string]any{"checks": arraySchema(check), "overall_reasoning": typeSchema("string")})))
}

func checkEntry() map[string]any {
	return objectSchema(map[string]any{
		"id": map[string]any{"enum": checkIDs}, "satisfied": typeSchema("boolean"), "reasoning": typeSchema("string"),
	})
}

func scoreEntry() map[string]any {
	return objectSchema(map[string]any{
		"id": map[string]any{"enum": scoreIDs}, "reasoning": typeSchema("string"),
		"score": map[string]any{"type": "integer", "minimum": 0, "maximum": 10},
	})
}

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
	switch {
	case len(scores) == 0:
		return insertIDs(checkShape(), checkIDs, checks)
	case len(checks) == 0:
		return insertIDs(scoreShape(), scoreIDs, scores)
	}
	// The later ones first: an id that reads like a mark stands behind the mark.
	return insertIDs(string(insertIDs(mixedShape(), scoreIDs, scores)), checkIDs, checks)
}

// insertIDs replaces a placeholder in shape by ids.
func insertIDs(shape, mark string, ids []string) json.RawMessage {
	return json.RawMessage(strings.Replace(shape, `"`+mark+`"`, string(encodeSchema(ids)), 1))
}

func freeformSchema() json.RawMessage {
	return encodeSchema(objectSchema(map[string]any{
		"score": map[string]any{"type": "number", "minimum": 0, "maximum": 1},
		"hits":  arraySchema(typeSchema("string")), "misses": arraySchema(typeSchema("string")), "reasoning": typeSchema("string"),
	}))
}

// encodeSchema encodes a schema. It cannot fail: schemas hold strings, numbers, booleans, lists
// and maps.
func encodeSchema(schema any) json.RawMessage {
	text, _ := json.Marshal(schema)
	return text
}
