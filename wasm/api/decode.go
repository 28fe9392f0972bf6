package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
)

// decode reads parameters. Those that a method does not have are refused: a
// misspelt one would be ignored in silence otherwise.
func decode(raw json.RawMessage, params any) error {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(params)
	if err == nil {
		return nil
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		where := "the parameters are "
		if wrong.Field != "" {
			where = "`" + wrong.Field + "` is "
		}
		return failf(BadParams, "%s%s, not %s", where, found(wrong.Value), expected(wrong.Type.Kind()))
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		return noParameter(name, raw, reflect.TypeOf(params).Elem())
	}
	return failf(BadParams, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

// found is what JSON holds, by the words of encoding/json.
func found(value string) string {
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

// expected is what a parameter of a kind has to be.
func expected(kind reflect.Kind) string {
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
