package api

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
)

// unknownName says that a parameter names none of several things, or nothing, and else what
// there is.
func unknownName(parameter, what, name string, names []string, available string) error {
	if name == "" {
		return failf(BadParams, "`%s` is not given; %s", parameter, available)
	}
	return failf(BadParams, "there is no %s `%s`%s", what, name, spell.DidYouMeanOr(name, names, available))
}

// listNames says what there is, if that is not too much.
func listNames(names []string) string {
	if len(names) == 1 {
		return "there is `" + names[0] + "`"
	}
	return "there are " + diag.JoinList(diag.Backtick(names), "and")
}

// unknownParameter says that there is no parameter of a name. All that there are, are told
// only where it does not stand within another.
func unknownParameter(name string, raw json.RawMessage, params reflect.Type) error {
	var outer map[string]json.RawMessage
	_ = json.Unmarshal(raw, &outer) // an object, or it would have been refused as none
	names := parameterNames(params)
	switch _, isOuter := outer[name]; {
	case !isOuter:
		return failf(BadParams, "there is no parameter `%s`%s", name, spell.DidYouMean(name, allParameterNames(params, nil)))
	case len(names) == 0:
		return failf(BadParams, "there is no parameter `%s`; there are none", name)
	}
	return failf(BadParams, "there is no parameter `%s`%s", name, spell.DidYouMeanOr(name, names, listNames(names)))
}

// allParameterNames are the names of all parameters, and of what is within them.
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

// parameterNames are the names that the fields of a type have in JSON.
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
