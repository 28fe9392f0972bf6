package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Limits on the cost of a hostile schema or document. Real ones are far below.
const (
	maxSchemaDepth   = 64
	maxDocumentDepth = 512
	maxApplied       = 2000 // schemas applied to one value, including repetitions
	maxExponent      = 400
	maxListed        = 10_000      // items of one list, such as the values of an enum
	maxCompared      = 400_000_000 // pairs of items: the validator compares every item of a list with all others
	maxDigits        = 1000
)

// checkSchema returns why a schema must not even be compiled. The validator reads referenced
// schemas from anywhere. A schema that applies itself to the same value, directly or in a circle,
// overflows the stack, which is fatal.
func checkSchema(schema any) error {
	if err := checkSize(schema, maxSchemaDepth); err != nil {
		return err
	}
	c := &schemaChecker{root: schema, applied: map[string]int{}}
	return c.walk(schema, "", true)
}

// checkSize rejects nesting deeper than levels, and numbers that take too long to compare.
func checkSize(value any, levels int) error {
	if levels == 0 {
		return errors.New("it is nested too deeply")
	}
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if err := checkSize(member, levels-1); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := checkSize(item, levels-1); err != nil {
				return err
			}
		}
	case nil, bool, string:
	default:
		return fmt.Errorf("it holds a %T, which is not a JSON value", v)
	case json.Number:
		_, exponent, _ := strings.Cut(strings.ToLower(string(v)), "e")
		n, err := strconv.Atoi(exponent)
		if exponent != "" && (err != nil || n > maxExponent || n < -maxExponent) || len(v) > maxDigits {
			return errors.New("it holds a number that is too long to compare")
		}
	}
	return nil
}

// authorKeys are the keys whose members are named by the author.
var authorKeys = []string{"properties", "patternProperties", "dependencies", "definitions", "$defs"}

// A schemaChecker follows a schema's references. It identifies a schema by its JSON pointer.
type schemaChecker struct {
	root    any
	pairs   int            // pairs of items of the same list
	applied map[string]int // number of schemas that each one applies to a value; -1 while being counted
}

// walk visits every schema once, where it is written.
func (c *schemaChecker) walk(value any, pointer string, isSchema bool) error {
	if list, ok := value.([]any); ok {
		if err := c.checkList(list, pointer); err != nil {
			return err
		}
		for i, item := range list {
			if err := c.walk(item, pointer+"/"+strconv.Itoa(i), isSchema); err != nil {
				return err
			}
		}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if isSchema {
		if _, err := c.countApplied(object, pointer); err != nil {
			return err
		}
	}
	for key, member := range object {
		names := isSchema && slices.Contains(authorKeys, key)
		if isSchema && (key == "const" || key == "enum") {
			if list, ok := member.([]any); ok && key == "enum" {
				if err := c.checkList(list, pointer+"/enum"); err != nil {
					return err
				}
			}
			continue
		}
		if _, isText := member.(string); isSchema && isText && (key == "$id" || key == "id") && pointer != "" {
			return fmt.Errorf("the `%s` at `#%s` is not followed, so its references could mean anything", key, pointer)
		}
		if err := c.walk(member, pointer+"/"+escapePointer(key), !names); err != nil {
			return err
		}
	}
	return nil
}

func (c *schemaChecker) checkList(items []any, pointer string) error {
	c.pairs += len(items) * len(items)
	switch {
	case len(items) > maxListed:
		return fmt.Errorf("it is too large: the list at `#%s` has %d items, the limit is %d", pointer, len(items), maxListed)
	case c.pairs > maxCompared:
		return errors.New("it is too large: it has too many long lists")
	}
	return nil
}

// countApplied returns the number of schemas that apply to a value when this one does.
func (c *schemaChecker) countApplied(object map[string]any, pointer string) (int, error) {
	switch n := c.applied[pointer]; {
	case n > 0:
		return n, nil
	case n < 0:
		return 0, fmt.Errorf("the schema at `#%s` applies itself to the same value without end", pointer)
	}
	c.applied[pointer] = -1
	total := 1
	for _, next := range appliedPointers(object, pointer) {
		n, err := c.countAppliedAt(next)
		if err != nil {
			return 0, err
		}
		if total += n; total > maxApplied {
			return 0, fmt.Errorf("the schema at `#%s` applies more than %d others to one value", pointer, maxApplied)
		}
	}
	c.applied[pointer] = total
	return total, nil
}

// countAppliedAt is countApplied for a pointer, which may lead out of the schema.
func (c *schemaChecker) countAppliedAt(pointer string) (int, error) {
	if pointer != "" && !strings.HasPrefix(pointer, "/") {
		return 0, fmt.Errorf("its `$ref` to `%s` refers to another schema, and other schemas are not loaded", pointer)
	}
	value, err := resolvePointer(c.root, pointer)
	if err != nil {
		return 0, err
	}
	switch v := value.(type) {
	case map[string]any:
		return c.countApplied(v, pointer)
	case bool:
		return 1, nil
	}
	return 0, fmt.Errorf("its `$ref` to `#%s` leads nowhere", pointer)
}

// pointerOf returns the JSON pointer of a reference within the schema. A reference to another
// schema is returned as written.
func pointerOf(ref string) string {
	target, inside := strings.CutPrefix(ref, "#")
	if path, err := url.PathUnescape(target); err == nil && inside {
		return canonicalPointer(path)
	}
	return ref
}

// appliedPointers returns the pointers of the schemas that object applies to its own value.
func appliedPointers(object map[string]any, pointer string) []string {
	var all []string
	if ref, ok := object["$ref"].(string); ok {
		all = append(all, pointerOf(ref))
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		if _, ok := object[key].(map[string]any); ok {
			all = append(all, pointer+"/"+key)
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := object[key].([]any)
		for i := range list {
			if _, ok := list[i].(map[string]any); ok {
				all = append(all, pointer+"/"+key+"/"+strconv.Itoa(i))
			}
		}
	}
	dependencies, _ := object["dependencies"].(map[string]any)
	for key, schema := range dependencies {
		if _, ok := schema.(map[string]any); ok {
			all = append(all, pointer+"/dependencies/"+escapePointer(key))
		}
	}
	slices.Sort(all)
	return all
}

var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// canonicalPointer escapes each token of a pointer as walk does.
func canonicalPointer(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		parts[i] = escapePointer(pointerUnescaper.Replace(part))
	}
	return strings.Join(parts, "/")
}
