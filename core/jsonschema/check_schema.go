package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
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
	c := &schemaChecker{workload: &workload{root: schema, costs: map[string]int{}}}
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
	*workload
	pairs int // pairs of items of the same list
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
		if ref, ok := object["$ref"].(string); ok {
			if _, err := c.resolve(ref); err != nil {
				return err
			}
		}
		if err := c.checkApplied(object, pointer); err != nil {
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

// checkApplied rejects a schema that applies itself, or too many others, to one value.
func (c *schemaChecker) checkApplied(object map[string]any, pointer string) error {
	c.left = maxApplied
	if c.apply(object, anyValue{}); c.left < 0 {
		return fmt.Errorf("the schema at `#%s` applies itself to the same value without end, or more than %d others to one value", pointer, maxApplied)
	}
	return nil
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
