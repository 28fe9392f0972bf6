package head

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/yaml"
)

// loadScenarios reads tests that are combined with rounds of variables. The numbering continues
// across scenarios from other files.
func loadScenarios(l *v4.Loader, list *yaml.Node) {
	number, left := 0, v4.MaxCases
	for _, n := range list.List() {
		reference, elsewhere := n.Str()
		if !elsewhere {
			left = loadScenario(l, n, number, left)
			number++
			continue
		}
		items, ok := l.ReadItems(n, reference, "scenarios", v4.ScenariosInOtherFile)
		if !ok {
			continue
		}
		l.WithIncludedFile(n, reference, func() {
			for _, item := range items {
				left = loadScenario(l, item, number, left)
				number++
			}
		})
	}
}

// loadScenario reads each test of a scenario once for each entry of its config, at most left of them.
// It returns how many may follow.
func loadScenario(l *v4.Loader, n *yaml.Node, number, left int) int {
	rounds, tests := n.Get("config").List(), n.Get("tests").List()
	for i, round := range rounds {
		for j, test := range tests {
			if left == 0 {
				return 0
			}
			if round.IsMap() && test.IsMap() {
				left--
				l.GeneratedID = scenarioID(round, test, len(tests), fmt.Sprintf("scenario-%d-%d-%d", number+1, i+1, j+1), j)
				l.LoadTest(mergeRound(round, test))
				l.GeneratedID = ""
			}
		}
	}
	return left
}

// scenarioID returns the id of a test in a round: its own, else the round's, else otherwise.
func scenarioID(round, test *yaml.Node, tests int, otherwise string, index int) string {
	if id := test.Get("id").Text(); id != "" {
		return id
	}
	id := round.Get("id").Text()
	switch {
	case id == "":
		return otherwise
	case tests > 1:
		return fmt.Sprintf("%s__scenario_test_%d", id, index+1)
	}
	return id
}

// mergeRound returns a test with its round's values. Some mappings are merged and assertion lists
// are joined; for all other keys the test's value takes precedence. The result has the test's
// span.
func mergeRound(round, test *yaml.Node) *yaml.Node {
	return overlay(round, test, func(key string, base, own *yaml.Node) *yaml.Node {
		switch {
		case key == "assert" && base.IsSeq() && own.IsSeq():
			out := *own.Follow()
			out.Items = slices.Concat(base.List(), own.List())
			return &out
		case slices.Contains([]string{"vars", "metadata", "options", "run"}, key) && base.IsMap() && own.IsMap():
			return overlay(base, own, func(_ string, _, inner *yaml.Node) *yaml.Node { return inner })
		}
		return own
	})
}

// overlay returns the mapping upper on top of under. Join decides the value of a key in both.
func overlay(under, upper *yaml.Node, join func(key string, under, upper *yaml.Node) *yaml.Node) *yaml.Node {
	out := *upper.Follow()
	out.Pairs = nil
	for _, p := range under.Entries() {
		if upper.Get(p.Key.Value) == nil {
			out.Pairs = append(out.Pairs, p)
		}
	}
	for _, p := range upper.Entries() {
		value := p.Value
		if both := under.Get(p.Key.Value); both != nil {
			value = join(p.Key.Value, both, p.Value)
		}
		out.Pairs = append(out.Pairs, &yaml.Pair{Key: p.Key, Value: value})
	}
	return &out
}
