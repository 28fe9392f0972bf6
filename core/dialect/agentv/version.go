// Package agentv has what the versions of AgentV's files share: the names of keys in each version, the
// roles of files, targets, labels and the kinds of losses.
//
// Each version has a package with its field tables and its lowering, and builds on the one before:
// package seed reads `evalcases` of early 2026, package v4 reads 4.42.4, package head what came after.
// Package assertion reads the lists of graders of the later versions, package bands score ranges.
//
// Lowering follows the loader of the reference implementation. It records everything that the loader
// skips, coerces or refuses as a loss, so that scores agree and no data disappears silently.
//
// The packages read syntax trees. They open no files and word no diagnostics.
package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's name.
const Name = "agentv"

// CasesKey is the key of the list of cases in Seed's files.
const CasesKey = "evalcases"

// Version is a release of AgentV whose behaviour is reproduced in full. The value is its name in
// results and conformance cases.
type Version string

// The versions, oldest first.
const (
	Seed Version = "seed"          // 2.5.8, as of 2026-02-06
	V4   Version = "stable-4.42.4" // 2026-06-19
	Head Version = "head"          // 5.3.1-next.1, as of 2026-07-08
)

// File is a kind of file of this dialect.
type File struct {
	Version Version // "" for the seed's
	Role    Role
	Name    string // the JSON Schema's name, as `rubric schema` takes it
	Title   string
	Type    *schema.Type
}

// CasesKeys are the keys of the list of cases in later versions, newest first. Head accepts only the first.
var CasesKeys = []string{"tests", "cases", "eval_cases"}

// DetectVersion returns the version of a YAML file, or "" if it is neither. Head has prompts and
// variables; V4 has an input in each test. The file is a suite, a list of tests or a list
// of scenarios.
func DetectVersion(root *yaml.Node) Version {
	if root.IsSeq() {
		if v := detectTestsVersion(root.List()); v != "" {
			return v
		}
		return V4
	}
	for _, key := range []string{"prompts", "default_test", "scenarios"} {
		if !root.Get(key).IsNull() && (key == "scenarios" || !root.Get("tests").IsNull()) {
			return Head
		}
	}
	tests := FirstValue(root, CasesKeys...)
	switch {
	case tests.IsNull():
		return ""
	case slices.ContainsFunc(tests.List(), IsHeadOnly):
		return Head
	}
	return V4
}

// IsHeadOnly reports whether only Head accepts a test.
func IsHeadOnly(test *yaml.Node) bool { return test.Get("vars").IsMap() && test.Get("input") == nil }

// DetectJSONLVersion returns the version of a JSONL file, or "" for Seed.
func DetectJSONLVersion(tree *yaml.Tree) Version {
	var tests []*yaml.Node
	for _, doc := range tree.Docs {
		if HasAnyKey(doc.Root, "expected_outcome", "outcome", "input_messages", "expected_messages", "evaluators") {
			return ""
		}
		tests = append(tests, doc.Root)
	}
	return detectTestsVersion(tests)
}

// detectTestsVersion returns the version of tests outside a suite, judged by their keys.
func detectTestsVersion(tests []*yaml.Node) Version {
	for _, n := range tests {
		switch {
		case HasAnyKey(n, "config", "tests"), IsHeadOnly(n), HasAnyKey(n, "assert") && !HasAnyKey(n, "input"):
			return Head
		case HasAnyKey(n, "assertions", "criteria", "assert"):
			return V4
		}
	}
	return ""
}

// DetectFileVersion returns the later version of a file with a role, or "" if it is none.
func DetectFileVersion(tree *yaml.Tree, role Role) Version {
	switch role {
	case EvalV4, TestList:
		return DetectVersion(tree.Root())
	case Cases:
		return DetectJSONLVersion(tree)
	case ScenarioList, Providers:
		return Head
	case Config:
		if HasAnyKey(tree.Root(), "providers", "defaults", "tests", "eval_patterns", "execution") {
			return Head
		}
	}
	return ""
}
