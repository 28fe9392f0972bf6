package v4

import (
	"maps"

	"github.com/rubric-ls/rubric/core/yaml"
)

// testVariables are a test's, over those that all tests have.
func (l *suiteLoader) testVariables(test *yaml.Node) map[string]any {
	vars := map[string]any{}
	own, _ := test.Get("vars").Any().(map[string]any)
	maps.Copy(vars, l.defaultVars)
	maps.Copy(vars, own)
	return vars
}

// variableCombinations are the variables of the cases that one test stands for: a
// variable that is a list of texts takes each of them in turn, and one that is
// an empty list leaves none. The order is that of the test's keys.
func variableCombinations(vars map[string]any, order []string) []map[string]any {
	all := []map[string]any{{}}
	for _, name := range order {
		values := choices(vars[name])
		if len(all)*len(values) > maxCases {
			return []map[string]any{vars}
		}
		var next []map[string]any
		for _, chosen := range all {
			for _, value := range values {
				one := maps.Clone(chosen)
				one[name] = value
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// MaxExternalTests is how many tests of other files a suite takes.
const MaxExternalTests = maxCases

// maxCases is how many cases one test may stand for; one that would stand for
// more is a single case, its lists as they are.
const maxCases = 10_000

func choices(value any) []any {
	list, isList := value.([]any)
	if !isList {
		return []any{value}
	}
	if len(list) > 0 {
		if _, isText := list[0].(string); !isText {
			return []any{value}
		}
	}
	return list
}

// variableOrder is the names of a test's variables as they stand, those of all tests
// first.
func variableOrder(defaults, own *yaml.Node) (names []string) {
	seen := map[string]bool{}
	for _, n := range []*yaml.Node{defaults, own} {
		for _, p := range n.Entries() {
			if !seen[p.Key.Value] {
				seen[p.Key.Value] = true
				names = append(names, p.Key.Value)
			}
		}
	}
	return names
}
