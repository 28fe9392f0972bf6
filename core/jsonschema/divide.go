package jsonschema

import (
	"maps"
	"slices"
	"strings"
)

// wholeValueKeys are the keys with which a schema says something of an object, or of a
// list, as a whole: of several members at once, or of one that they do not name.
var wholeValueKeys = []string{
	"$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependencies", "patternProperties", "const", "enum",
	"minItems", "maxItems", "uniqueItems", "contains",
}

// division are the two schemas that divide gives.
type division struct{ outer, item *Schema }

// divisionFor remembers what divide gives.
func (s *Schema) divisionFor(key string) division {
	cached, ok := s.divisions.Load(key)
	if !ok {
		outer, item := s.divide(key)
		cached, _ = s.divisions.LoadOrStore(key, division{outer, item})
	}
	return cached.(division)
}

// divide gives two schemas that together say of an object what s does: one for the
// object with the list under key empty, and one for each of the list's items. Nil
// if s says more of the list than of its items.
func (s *Schema) divide(key string) (outerSchema, item *Schema) {
	root, _ := s.source.(map[string]any)
	properties, _ := root["properties"].(map[string]any)
	pointer := "/properties/" + escapePointer(key)
	if properties[key] == nil || hasAnyKey(root, wholeValueKeys) || refersTo(root, pointer) {
		return nil, nil
	}
	list, _ := properties[key].(map[string]any)
	for ref, ok := list["$ref"].(string); ok; ref, ok = list["$ref"].(string) {
		pointer = pointerOf(ref)
		target, _ := resolvePointer(root, pointer) // compiled, so there is one
		list, _ = target.(map[string]any)
	}
	if _, byPlace := list["items"].([]any); list["items"] == nil || byPlace || hasAnyKey(list, wholeValueKeys) {
		return nil, nil
	}
	withoutItems := maps.Clone(list)
	delete(withoutItems, "items")
	outerSource, itemSource := maps.Clone(root), maps.Clone(root)
	properties = maps.Clone(properties)
	properties[key] = withoutItems
	outerSource["properties"] = properties
	itemSource["$ref"] = "#" + pointer + "/items" // beside which nothing counts
	outerSchema, errOuter := Compile(outerSource)
	item, errItem := Compile(itemSource)
	if errOuter != nil || errItem != nil {
		return nil, nil
	}
	return outerSchema, item
}

func hasAnyKey(object map[string]any, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return object[key] != nil })
}

// refersTo reports whether a reference somewhere in a schema leads to a pointer,
// to what holds it or into it.
func refersTo(schema any, pointer string) bool {
	switch v := schema.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			target := pointerOf(ref)
			if strings.HasPrefix(pointer+"/", target+"/") || strings.HasPrefix(target+"/", pointer+"/") {
				return true
			}
		}
		for _, member := range v {
			if refersTo(member, pointer) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return refersTo(item, pointer) })
	}
	return false
}
