package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
)

// decodeParams reads parameters. Those that a method does not have are refused: a
// misspelt one would be ignored in silence otherwise.
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

// describeValue is what JSON holds, by the words of encoding/json.
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

// describeKind is what a parameter of a kind has to be.
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
