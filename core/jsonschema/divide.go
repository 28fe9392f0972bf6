package jsonschema

import (
	"maps"
	"slices"
	"strings"
)

// ofAll are the keys with which a schema says something of an object, or of a
// list, as a whole: of several members at once, or of one that they do not name.
var ofAll = []string{
	"$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependencies", "patternProperties", "const", "enum",
	"minItems", "maxItems", "uniqueItems", "contains",
}

// halves are the two schemas that divide gives.
type halves struct{ around, item *Schema }

// halvesFor remembers what divide gives.
func (s *Schema) halvesFor(key string) halves {
	known, ok := s.divided.Load(key)
	if !ok {
		around, item := s.divide(key)
		known, _ = s.divided.LoadOrStore(key, halves{around, item})
	}
	return known.(halves)
}

// divide gives two schemas that together say of an object what s does: one for the
// object with the list under key empty, and one for each of the list's items. Nil
// if s says more of the list than of its items.
func (s *Schema) divide(key string) (around, item *Schema) {
	root, _ := s.source.(map[string]any)
	properties, _ := root["properties"].(map[string]any)
	pointer := "/properties/" + escape(key)
	if properties[key] == nil || holds(root, ofAll) || refersTo(root, pointer) {
		return nil, nil
	}
	list, _ := properties[key].(map[string]any)
	for ref, ok := list["$ref"].(string); ok; ref, ok = list["$ref"].(string) {
		pointer = pointerOf(ref)
		target, _ := resolve(root, pointer) // compiled, so there is one
		list, _ = target.(map[string]any)
	}
	if _, byPlace := list["items"].([]any); list["items"] == nil || byPlace || holds(list, ofAll) {
		return nil, nil
	}
	bare := maps.Clone(list)
	delete(bare, "items")
	outer, inner := maps.Clone(root), maps.Clone(root)
	properties = maps.Clone(properties)
	properties[key] = bare
	outer["properties"] = properties
	inner["$ref"] = "#" + pointer + "/items" // beside which nothing counts
	around, errAround := Compile(outer)
	item, errItem := Compile(inner)
	if errAround != nil || errItem != nil {
		return nil, nil
	}
	return around, item
}

func holds(object map[string]any, keys []string) bool {
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
