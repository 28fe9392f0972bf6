package v4

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// CasesKeys are what the list of cases is under, the newest name first. Head
// takes the first only.
var CasesKeys = []string{"tests", "cases", "eval_cases"}

// DetectVersion is the version that a YAML file is written in, "" if it is none of
// these: Head has prompts and variables where Stable has each test's input. The
// file is a suite, or a list of tests or of scenarios alone.
func DetectVersion(root *yaml.Node) agentv.Version {
	if root.IsSeq() {
		if v := detectTestsVersion(root.List()); v != "" {
			return v
		}
		return agentv.Stable
	}
	for _, key := range []string{"prompts", "default_test", "scenarios"} {
		if !root.Get(key).IsNull() && (key == "scenarios" || !root.Get("tests").IsNull()) {
			return agentv.Head
		}
	}
	tests := caseList(root, agentv.Stable)
	switch {
	case tests.IsNull():
		return ""
	case slices.ContainsFunc(tests.List(), IsHeadOnly):
		return agentv.Head
	}
	return agentv.Stable
}

// IsHeadOnly reports whether a test is such that only Head takes it.
func IsHeadOnly(test *yaml.Node) bool { return test.Get("vars").IsMap() && test.Get("input") == nil }

// DetectJSONLVersion is the version that a JSONL file is written in, "" for the
// oldest.
func DetectJSONLVersion(tree *yaml.Tree) agentv.Version {
	var tests []*yaml.Node
	for _, doc := range tree.Docs {
		if hasAnyKey(doc.Root, "expected_outcome", "outcome", "input_messages", "expected_messages", "evaluators") {
			return ""
		}
		tests = append(tests, doc.Root)
	}
	return detectTestsVersion(tests)
}

// detectTestsVersion goes by the keys of tests that are in no suite.
func detectTestsVersion(tests []*yaml.Node) agentv.Version {
	for _, n := range tests {
		switch {
		case hasAnyKey(n, "config", "tests"), IsHeadOnly(n), hasAnyKey(n, "assert") && !hasAnyKey(n, "input"):
			return agentv.Head
		case hasAnyKey(n, "assertions", "criteria", "assert"):
			return agentv.Stable
		}
	}
	return ""
}

func hasAnyKey(n *yaml.Node, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
}

// caseList is the value of the list of cases, or nil.
func caseList(root *yaml.Node, v agentv.Version) *yaml.Node {
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

// DetectFileVersion is the newer version that a file of a role is written in, "" if it is none
// of these.
func DetectFileVersion(tree *yaml.Tree, role agentv.Role) agentv.Version {
	switch role {
	case agentv.NewerEval, agentv.TestList:
		return DetectVersion(tree.Root())
	case agentv.Cases:
		return DetectJSONLVersion(tree)
	case agentv.ScenarioList, agentv.Providers:
		return agentv.Head
	case agentv.Config:
		if hasAnyKey(tree.Root(), "providers", "defaults", "tests", "eval_patterns", "execution") {
			return agentv.Head
		}
	}
	return ""
}
