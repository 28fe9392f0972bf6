package v4

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

// variablePattern is a variable in a text: a name, or names joined by periods.
var variablePattern = pattern.New(`\{\{-?\s*([\w.-]+?)\s*-?\}\}`)

// fillVariables fills the texts in a value with variables. A text that is a slot and
// nothing else becomes the variable's value, whatever that is. A slot that no
// variable is for stays as it is, and so do conditions, loops and filters: where
// the runner's templates leave a gap, a reader should see which.
func fillVariables(value any, vars map[string]any) any {
	switch v := value.(type) {
	case string:
		return fillText(v, vars)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = fillVariables(item, vars)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = fillVariables(item, vars)
		}
		return out
	}
	return value
}

func fillText(text string, vars map[string]any) any {
	if at := variablePattern().FindStringSubmatch(text); at != nil && at[0] == strings.TrimSpace(text) {
		if value, ok := lookupVariable(vars, at[1]); ok {
			return value
		}
	}
	return variablePattern().ReplaceAllStringFunc(text, func(found string) string {
		value, ok := lookupVariable(vars, variablePattern().FindStringSubmatch(found)[1])
		if !ok {
			return found
		}
		return formatValue(value)
	})
}

// lookupVariable finds a variable by its path, which may begin with `vars`.
func lookupVariable(vars map[string]any, path string) (value any, ok bool) {
	if value, ok = lookupPath(vars, strings.Split(path, ".")); ok {
		return value, true
	}
	if rest, prefixed := strings.CutPrefix(path, "vars."); prefixed {
		return lookupPath(vars, strings.Split(rest, "."))
	}
	return nil, false
}

func lookupPath(value any, names []string) (any, bool) {
	for _, name := range names {
		fields, isMap := value.(map[string]any)
		inner, there := fields[name]
		if !isMap || !there {
			return nil, false
		}
		value = inner
	}
	return value, true
}

// formatValue is a value within a text.
func formatValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil:
		return ""
	case []any, map[string]any:
		raw, err := json.Marshal(v)
		if err != nil { // a value that JSON has not, such as an infinity
			return ""
		}
		return string(raw)
	}
	return fmt.Sprint(value)
}

// fillString fills a text in place.
func fillString(text *string, vars map[string]any) {
	*text = formatValue(fillText(*text, vars))
}
