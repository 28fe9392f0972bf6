package wire

import (
	"bytes"
	"encoding/json"
)

// portableSchema is a schema as structured replies take it: what lists texts says that they
// are texts, which some providers insist on. No text in JSON reads like that key, for
// its quotes would be escaped.
func portableSchema(schema json.RawMessage) json.RawMessage {
	return bytes.ReplaceAll(schema, []byte(`"enum":["`), []byte(`"type":"string","enum":["`))
}

// withoutKeywords is a schema of ours without some keywords, for a provider that takes none
// of them. One that is no JSON stays as it is, for the provider to complain of.
func withoutKeywords(schema json.RawMessage, keywords ...string) json.RawMessage {
	var tree any
	if json.Unmarshal(schema, &tree) != nil {
		return schema
	}
	dropKeywords(tree, keywords)
	made, err := encodeJSON(tree)
	if err != nil {
		return schema
	}
	return made
}

func dropKeywords(schema any, keywords []string) {
	switch s := schema.(type) {
	case []any:
		for _, inner := range s {
			dropKeywords(inner, keywords)
		}
	case map[string]any:
		for _, keyword := range keywords {
			delete(s, keyword)
		}
		dropKeywords(s["items"], keywords)
		dropKeywords(s["anyOf"], keywords)
		if properties, ok := s["properties"].(map[string]any); ok { // whose keys are names, not keywords
			for _, inner := range properties {
				dropKeywords(inner, keywords)
			}
		}
	}
}
