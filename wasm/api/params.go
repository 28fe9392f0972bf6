package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
)

// decodeParams decodes parameters. It rejects unknown ones, because a misspelt parameter would
// otherwise be ignored.
func decodeParams(raw json.RawMessage, params any) error {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(params)
	if err == nil {
		return nil
	}
	if typeErr := (*json.UnmarshalTypeError)(nil); errors.As(err, &typeErr) {
		where := "the parameters are "
		if typeErr.Field != "" {
			where = "`" + typeErr.Field + "` is "
		}
		return failf(BadParams, "%s%s, not %s", where, describeValue(typeErr.Value), describeKind(typeErr.Type.Kind()))
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		if unquoted, err := strconv.Unquote(name); err == nil {
			name = unquoted
		}
		return unknownParameter(name, raw, reflect.TypeOf(params).Elem())
	}
	return failf(BadParams, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

// describeValue names a JSON value, given encoding/json's description of it.
func describeValue(value string) string {
	switch kind, _, _ := strings.Cut(value, " "); kind {
	case "string":
		return "a text"
	case "number":
		if number := strings.TrimSpace(strings.TrimPrefix(value, kind)); number != "" {
			return "the number " + number
		}
		return "a number"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	}
	return value
}

// describeKind names the JSON type that a parameter of this Go kind needs.
func describeKind(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number"
}

// unknownName returns the error for a parameter with a missing or unknown name. Available lists the
// valid names.
func unknownName(parameter, what, name string, names []string, available string) error {
	if name == "" {
		return failf(BadParams, "`%s` is missing; %s", parameter, available)
	}
	return failf(BadParams, "there is no %s `%s`%s", what, name, spell.DidYouMeanOr(name, names, available))
}

// listNames returns a sentence with all names.
func listNames(names []string) string {
	if len(names) == 1 {
		return "there is `" + names[0] + "`"
	}
	return "there are " + diag.JoinList(diag.Backtick(names), "and")
}

// unknownParameter returns the error for an unknown parameter. It lists the valid ones only for a
// top-level parameter.
func unknownParameter(name string, raw json.RawMessage, params reflect.Type) error {
	var outer map[string]json.RawMessage
	_ = json.Unmarshal(raw, &outer) // decoding succeeded before
	names := parameterNames(params)
	switch _, isOuter := outer[name]; {
	case !isOuter:
		return failf(BadParams, "there is no parameter `%s`%s", name, spell.DidYouMean(name, allParameterNames(params, nil)))
	case len(names) == 0:
		return failf(BadParams, "there is no parameter `%s`; the method has none", name)
	}
	return failf(BadParams, "there is no parameter `%s`%s", name, spell.DidYouMeanOr(name, names, listNames(names)))
}

// allParameterNames returns the JSON names of a type's fields, nested ones too.
func allParameterNames(t reflect.Type, seen []reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(seen, t) {
		return nil
	}
	names = parameterNames(t)
	for _, f := range reflect.VisibleFields(t) {
		names = append(names, allParameterNames(f.Type, append(seen, t))...)
	}
	return names
}

// parameterNames returns the JSON names of a type's fields.
func parameterNames(t reflect.Type) (names []string) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}
