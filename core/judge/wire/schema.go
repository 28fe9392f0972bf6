package wire

import (
	"bytes"
	"encoding/json"
)

// portable is a schema as structured replies take it: what lists texts says that they
// are texts, which some providers insist on. No text in JSON reads like that key, for
// its quotes would be escaped.
func portable(schema json.RawMessage) json.RawMessage {
	return bytes.ReplaceAll(schema, []byte(`"enum":["`), []byte(`"type":"string","enum":["`))
}

// without is a schema of ours without some keywords, for a provider that takes none
// of them. One that is no JSON stays as it is, for the provider to complain of.
func without(schema json.RawMessage, keywords ...string) json.RawMessage {
	var tree any
	if json.Unmarshal(schema, &tree) != nil {
		return schema
	}
	drop(tree, keywords)
	made, err := encodeJSON(tree)
	if err != nil {
		return schema
	}
	return made
}

func drop(schema any, keywords []string) {
	switch s := schema.(type) {
	case []any:
		for _, inner := range s {
			drop(inner, keywords)
		}
	case map[string]any:
		for _, keyword := range keywords {
			delete(s, keyword)
		}
		drop(s["items"], keywords)
		drop(s["anyOf"], keywords)
		if properties, ok := s["properties"].(map[string]any); ok { // whose keys are names, not keywords
			for _, inner := range properties {
				drop(inner, keywords)
			}
		}
	}
}
