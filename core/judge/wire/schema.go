package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// portable is a schema as structured replies take it: what lists texts says that
// they are texts, which some insist on, and the keywords in drop are left out.
// One that is no JSON is sent as it is, for the provider to complain of.
func portable(schema json.RawMessage, drop []string) json.RawMessage {
	key := string(schema) + "\x00" + strings.Join(drop, " ")
	portables.Lock()
	defer portables.Unlock()
	if made := portables.known[key]; made != nil {
		return made
	}
	var tree any
	if json.Unmarshal(schema, &tree) != nil {
		return schema
	}
	made, err := encodeJSON(ported(tree, drop))
	if err != nil {
		return schema
	}
	if portables.known == nil || len(portables.known) == mostPortables {
		portables.known = map[string]json.RawMessage{}
	}
	portables.known[key] = made
	return made
}

// portables are schemas that have been made portable, by what they were: many cases
// have criteria of the same ids, and each is asked about more than once.
var portables struct {
	sync.Mutex
	known map[string]json.RawMessage
}

// mostPortables bounds what is remembered: about a megabyte.
const mostPortables = 500

func ported(schema any, drop []string) any {
	switch s := schema.(type) {
	case []any:
		for i := range s {
			s[i] = ported(s[i], drop)
		}
	case map[string]any:
		for _, keyword := range drop {
			delete(s, keyword)
		}
		if values, ok := s["enum"].([]any); ok && s["type"] == nil && !slices.ContainsFunc(values, notText) {
			s["type"] = "string"
		}
		for _, keyword := range []string{"items", "anyOf"} {
			if inner, ok := s[keyword]; ok {
				s[keyword] = ported(inner, drop)
			}
		}
		if properties, ok := s["properties"].(map[string]any); ok { // whose keys are names, not keywords
			for name, inner := range properties {
				properties[name] = ported(inner, drop)
			}
		}
	}
	return schema
}

func notText(value any) bool {
	_, ok := value.(string)
	return !ok
}
