package jsonschema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/xeipuuv/gojsonschema"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/lint"
)

// wrapperErrors are the errors that only report a deeper error.
var wrapperErrors = map[string]bool{
	"number_one_of": true, "number_any_of": true, "number_all_of": true, "condition_then": true, "condition_else": true,
}

// invalidPropertyName is the error for a key. The validator reports the faults of the key's text as
// if the text were the value.
const invalidPropertyName = "invalid_property_name"

// violations converts the validator's errors, which are unordered, and sorts them by location.
func violations(all []gojsonschema.ResultError) []lint.Violation {
	var places []string // of errors that are certain to be reported
	names := map[string]bool{}
	for _, e := range all {
		if !wrapperErrors[e.Type()] {
			places = append(places, errorPath(e))
		}
		if name, ok := e.Details()["property"].(string); ok && e.Type() == invalidPropertyName {
			names[errorPath(e)+name] = true
		}
	}
	slices.Sort(places)
	var found []lint.Violation
	for _, e := range all {
		name, isText := e.Value().(string)
		ofName := isText && e.Type() != invalidPropertyName && names[errorPath(e)+name]
		if !ofName && (!wrapperErrors[e.Type()] || !hasDeeper(places, errorPath(e))) {
			found = append(found, violation(e))
		}
	}
	sort.Slice(found, func(i, j int) bool {
		a, b := found[i], found[j]
		return cmp.Or(slices.Compare(a.Path, b.Path), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message)) < 0
	})
	return slices.CompactFunc(found, func(a, b lint.Violation) bool {
		return slices.Equal(a.Path, b.Path) && a.Key == b.Key && a.Message == b.Message
	})
}

// hasDeeper reports whether one of the sorted places is at or below place.
func hasDeeper(places []string, place string) bool {
	i, _ := slices.BinarySearch(places, place)
	return i < len(places) && strings.HasPrefix(places[i], place)
}

// separator ends each step of a path. Keys may contain any other character.
const separator = "\x00"

// errorPath returns the keys and indices that lead to an error's value, after a word for the root.
func errorPath(e gojsonschema.ResultError) string { return e.Context().String(separator) + separator }

func violation(e gojsonschema.ResultError) lint.Violation {
	steps := strings.Split(errorPath(e), separator)
	v := lint.Violation{Path: steps[1 : len(steps)-1]}
	detail := func(name string) string { return fmt.Sprint(e.Details()[name]) }
	switch e.Type() {
	case "required":
		v.Message = "`" + detail("property") + "` is missing"
	case "missing_dependency":
		v.Message = "`" + detail("dependency") + "` is missing, which another key requires"
	case "additional_property_not_allowed", invalidPropertyName:
		v.Key = detail("property")
		v.Message = "the key `" + v.Key + "` is not allowed here"
	case "invalid_type":
		v.Message = "expected " + typeNames(detail("expected")) + ", found " + typeNames(detail("given"))
	case "enum":
		v.Message = "expected one of `" + detail("allowed") + "`, found `" + abbreviatedJSON(e.Value()) + "`"
	case "const":
		v.Message = "expected `" + detail("allowed") + "`, found `" + abbreviatedJSON(e.Value()) + "`"
	case "number_gte":
		v.Message = "expected at least " + detail("min") + ", found " + abbreviatedJSON(e.Value())
	case "number_lte":
		v.Message = "expected at most " + detail("max") + ", found " + abbreviatedJSON(e.Value())
	case "pattern":
		v.Message = "`" + abbreviatedJSON(e.Value()) + "` does not match the pattern `" + detail("pattern") + "`"
	case "format":
		v.Message = "`" + abbreviatedJSON(e.Value()) + "` is not of the format `" + detail("format") + "`"
	case "unique":
		v.Message = "its items " + detail("i") + " and " + detail("j") + ", counted from 0, are the same"
	case "number_not":
		v.Message = "the schema forbids this value"
	case "number_one_of":
		v.Message = "it matches several alternatives, but must match exactly one"
	case "false":
		v.Message = "nothing is allowed here"
	default:
		description := []rune(e.Description())
		description[0] = unicode.ToLower(description[0])
		v.Message = string(description)
	}
	return v
}

var articles = map[string]string{
	"array": "an array", "boolean": "a boolean", "integer": "an integer", "null": "null", "number": "a number",
	"object": "an object", "string": "a string",
}

// typeNames returns a type with its article, or several types given as [a,b].
func typeNames(list string) string {
	names := strings.Split(strings.Trim(list, "[]"), ",")
	for i, name := range names {
		names[i] = cmp.Or(articles[name], name)
	}
	return strings.Join(names, " or ")
}

// abbreviatedJSON returns the beginning of a value as JSON.
func abbreviatedJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return excerpt.Shorten(string(text), 40)
}
