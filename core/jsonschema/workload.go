package jsonschema

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Limits on the cost of applying a schema: its parts may be applied maxWork times to a document,
// and maxWorkPerValue times more for each value in it. Schemas in practice stay below a tenth.
const (
	maxWork         = 500_000
	maxWorkPerValue = 50
)

var errTooMuchWork = errors.New("it takes too long to apply: its alternatives multiply from level to level")

// A workload walks a document as the validator will, and only counts. The validator cannot be
// stopped, and a schema that recurses through several alternatives takes time exponential in the
// document's depth.
type workload struct {
	root     any
	left     int
	patterns map[string]*regexp.Regexp
	costs    map[string]int // of references, if all values are [anyValue]; else nil
}

// checkWork returns an error if a schema that passed [checkSchema] is too expensive to apply.
func checkWork(schema, document any) error {
	w := &workload{root: schema, left: maxWork + maxWorkPerValue*countValues(document), patterns: map[string]*regexp.Regexp{}}
	w.apply(schema, document)
	if w.left < 0 {
		return errTooMuchWork
	}
	return nil
}

func countValues(value any) int {
	n := 1
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			n += countValues(member)
		}
	case []any:
		for _, item := range v {
			n += countValues(item)
		}
	}
	return n
}

// anyValue stands for a value that is not known: every schema that can apply to it does.
type anyValue struct{}

// apply counts one schema for one value, and all that it applies.
func (w *workload) apply(schema, value any) {
	object, ok := schema.(map[string]any)
	if w.left--; !ok || w.left < 0 {
		return
	}
	if ref, ok := object["$ref"].(string); ok { // siblings of $ref are ignored
		if cost, known := w.costs[ref]; known {
			w.left -= cost
		} else if target, err := w.resolve(ref); err == nil {
			before := w.left
			if w.apply(target, value); w.costs != nil && w.left >= 0 {
				w.costs[ref] = before - w.left
			}
		}
		return
	}
	if object["const"] != nil || object["enum"] != nil || object["uniqueItems"] == true { // the validator encodes the value as JSON
		w.left -= countValues(value)
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		w.apply(object[key], value)
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := object[key].([]any)
		for _, alternative := range list {
			w.apply(alternative, value)
		}
	}
	switch v := value.(type) {
	case anyValue:
		dependencies, _ := object["dependencies"].(map[string]any)
		for _, schema := range dependencies {
			w.apply(schema, value)
		}
	case map[string]any:
		w.applyMembers(object, v)
	case []any:
		w.applyItems(object, v)
	}
}

func (w *workload) applyMembers(object, value map[string]any) {
	properties, _ := object["properties"].(map[string]any)
	patterns, _ := object["patternProperties"].(map[string]any)
	dependencies, _ := object["dependencies"].(map[string]any)
	for key, member := range value {
		if w.left < 0 {
			return
		}
		w.apply(object["propertyNames"], key)
		w.apply(dependencies[key], value)
		property, described := properties[key]
		w.apply(property, member)
		for pattern, schema := range patterns {
			if w.matches(pattern, key) {
				described = true
				w.apply(schema, member)
			}
		}
		if !described {
			w.apply(object["additionalProperties"], member)
		}
	}
}

func (w *workload) matches(pattern, key string) bool {
	p, known := w.patterns[pattern]
	if !known {
		p, _ = regexp.Compile(pattern) // nil if the validator rejects it
		w.patterns[pattern] = p
	}
	return p != nil && p.MatchString(key)
}

func (w *workload) applyItems(object map[string]any, value []any) {
	places, byPlace := object["items"].([]any)
	for i, item := range value {
		if w.left < 0 {
			return
		}
		w.apply(object["contains"], item)
		switch {
		case !byPlace:
			w.apply(object["items"], item)
		case i < len(places):
			w.apply(places[i], item)
		default:
			w.apply(object["additionalItems"], item)
		}
	}
}

var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

// resolve returns the schema that a reference leads to, which must be in the same document.
func (w *workload) resolve(ref string) (any, error) {
	target, inside := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(target)
	if err != nil || !inside || pointer != "" && pointer[0] != '/' {
		return nil, fmt.Errorf("its `$ref` to `%s` refers to another schema, and other schemas are not loaded", ref)
	}
	value := w.root
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch v := value.(type) {
		case map[string]any:
			value = v[pointerUnescaper.Replace(token)]
		case []any:
			i, err := strconv.Atoi(token)
			if value = nil; err == nil && i >= 0 && i < len(v) {
				value = v[i]
			}
		default:
			value = nil
		}
	}
	switch value.(type) {
	case map[string]any, bool:
		return value, nil
	}
	return nil, fmt.Errorf("its `$ref` to `#%s` leads nowhere", pointer)
}
