package head

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
)

// variableCombinations returns the variables of each case that one test expands to. A list of
// strings contributes each of its values in turn, and an empty list leaves no case. The order
// follows the test's keys.
func variableCombinations(vars map[string]any, order []string) []map[string]any {
	all := []map[string]any{{}}
	for _, name := range order {
		values := choices(vars[name])
		if len(all)*len(values) > v4.MaxCases {
			return []map[string]any{vars}
		}
		all = agentv.Combine(all, name, values)
	}
	return all
}

func choices(value any) []any {
	list, isList := value.([]any)
	if isList && len(list) > 0 {
		_, isList = list[0].(string)
	}
	if !isList {
		return []any{value}
	}
	return list
}

// variablePattern matches a variable in a text: a name, or names joined by periods.
var variablePattern = pattern.New(`\{\{-?\s*([\w.-]+?)\s*-?\}\}`)

// fillVariables replaces variables in all strings of a value. A string that is one variable and
// nothing else becomes the variable's value of any type. Unknown variables, conditions, loops
// and filters stay as they are, so that a reader sees which were not filled; the runner's
// templates leave them empty.
func fillVariables(value any, vars map[string]any) any {
	return agentv.MapTexts(value, func(text string) any { return fillText(text, vars) })
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
		return v4.FormatValue(value)
	})
}

// lookupVariable returns the variable at a path, which may begin with `vars`.
func lookupVariable(vars map[string]any, path string) (value any, ok bool) {
	if value, ok = grade.LookupKeys(vars, path); ok {
		return value, true
	}
	if rest, prefixed := strings.CutPrefix(path, "vars."); prefixed {
		return grade.LookupKeys(vars, rest)
	}
	return nil, false
}
