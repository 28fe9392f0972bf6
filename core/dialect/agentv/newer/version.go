package newer

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// CasesKeys are what the list of cases is under, the newest name first. Head
// takes the first only.
var CasesKeys = []string{"tests", "cases", "eval_cases"}

// VersionOf is the version that a file is written in, "" if it is none of these:
// Head has prompts and variables where Stable has each test's input.
func VersionOf(root *yaml.Node) agentv.Version {
	for _, key := range []string{"prompts", "default_test", "scenarios"} {
		if !root.Get(key).IsNull() && (key == "scenarios" || !root.Get("tests").IsNull()) {
			return agentv.Head
		}
	}
	tests := cases(root, agentv.Stable)
	switch {
	case tests.IsNull():
		return ""
	case slices.ContainsFunc(tests.List(), OnlyHead):
		return agentv.Head
	}
	return agentv.Stable
}

// OnlyHead reports whether a test is such that only Head takes it.
func OnlyHead(test *yaml.Node) bool { return test.Get("vars").IsMap() && test.Get("input") == nil }

// cases is the value of the list of cases, or nil.
func cases(root *yaml.Node, v agentv.Version) *yaml.Node {
	keys := CasesKeys
	if v == agentv.Head {
		keys = keys[:1]
	}
	for _, key := range keys {
		if list := root.Get(key); !list.IsNull() {
			return list
		}
	}
	return nil
}
