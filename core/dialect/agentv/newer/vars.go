package newer

import (
	"maps"

	"github.com/rubric-ls/rubric/core/yaml"
)

// variables are a test's, over those that all tests have.
func (l *lowering) variables(test *yaml.Node) map[string]any {
	vars := map[string]any{}
	own, _ := test.Get("vars").Any().(map[string]any)
	maps.Copy(vars, l.defaults)
	maps.Copy(vars, own)
	return vars
}

// combinations are the variables of the cases that one test stands for: a
// variable that is a list of texts takes each of them in turn, and one that is
// an empty list leaves none. The order is that of the test's keys.
func combinations(vars map[string]any, order []string) []map[string]any {
	all := []map[string]any{{}}
	for _, name := range order {
		values := choices(vars[name])
		if len(all)*len(values) > mostCases {
			return []map[string]any{vars}
		}
		var next []map[string]any
		for _, so := range all {
			for _, value := range values {
				one := maps.Clone(so)
				one[name] = value
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// Room is how many tests of other files a suite takes.
const Room = mostCases

// mostCases is how many cases one test may stand for; one that would stand for
// more is a single case, its lists as they are.
const mostCases = 10_000

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

// order is the names of a test's variables as they stand, those of all tests
// first.
func order(defaults, own *yaml.Node) (names []string) {
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
