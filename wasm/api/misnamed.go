package api

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
)

// misnamed says that a parameter names none of several things, or nothing, and else what
// there is.
func misnamed(parameter, what, name string, names []string, thereIs string) error {
	if name == "" {
		return failf(BadParams, "`%s` is not given; %s", parameter, thereIs)
	}
	return failf(BadParams, "there is no %s `%s`%s", what, name, spell.Instead(name, names, thereIs))
}

// listed says what there is, if that is not too much.
func listed(names []string) string {
	if len(names) == 1 {
		return "there is `" + names[0] + "`"
	}
	return "there are " + diag.Listed(diag.Ticked(names), "and")
}

// noParameter says that there is no parameter of a name. All that there are, are told
// only where it does not stand within another.
func noParameter(name string, raw json.RawMessage, params reflect.Type) error {
	var outer map[string]json.RawMessage
	_ = json.Unmarshal(raw, &outer) // an object, or it would have been refused as none
	names := parameterNames(params)
	switch _, is := outer[name]; {
	case !is:
		return failf(BadParams, "there is no parameter `%s`%s", name, spell.DidYouMean(name, parameters(params, nil)))
	case len(names) == 0:
		return failf(BadParams, "there is no parameter `%s`; there are none", name)
	}
	return failf(BadParams, "there is no parameter `%s`%s", name, spell.Instead(name, names, listed(names)))
}

// parameters are the names of all parameters, and of what is within them.
func parameters(of reflect.Type, seen []reflect.Type) (names []string) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || slices.Contains(seen, of) {
		return nil
	}
	names = parameterNames(of)
	for _, f := range reflect.VisibleFields(of) {
		names = append(names, parameters(f.Type, append(seen, of))...)
	}
	return names
}

// parameterNames are the names that the fields of a type have in JSON.
func parameterNames(of reflect.Type) (names []string) {
	if of.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(of) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}
