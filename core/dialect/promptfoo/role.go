// Package promptfoo reads the configurations of promptfoo 0.121.20 and its files of tests.
//
// A configuration multiplies prompts, providers and tests with their variables. [Reader] expands it into
// rows as promptfoo does, and each row becomes a case of the domain. Package assertion grades rows,
// package nunjucks fills in templates. Everything that promptfoo drops, ignores or reads otherwise than it
// looks is a loss.
//
// The package reads syntax trees. It opens no files, runs no programs and words no diagnostics.
package promptfoo

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's name.
const Name = "promptfoo"

// Version is the release of promptfoo whose behaviour is reproduced.
const Version = "0.121.20"

// Roles of files.
const (
	Config agentv.Role = "promptfoo"       // a configuration
	Tests  agentv.Role = "promptfoo-tests" // a list of tests in YAML or JSON
)

// schemaAddress is in the modeline of a configuration.
const schemaAddress = "promptfoo.dev/config-schema"

// RoleOf returns the role of a file, or "". The file of AgentV's newest version has the same
// shape, but each of its tests has an id, and its keys are in snake_case.
func RoleOf(name string, tree *yaml.Tree) agentv.Role {
	switch root := tree.Root(); {
	case root.IsMap():
		if IsConfig(name, root) || hasModeline(tree) {
			return Config
		}
	case root.IsSeq():
		if items := root.List(); len(items) > 0 && !slices.ContainsFunc(items, func(n *yaml.Node) bool { return !isTest(n) }) {
			return Tests
		}
	}
	return ""
}

func hasModeline(tree *yaml.Tree) bool {
	return slices.ContainsFunc(tree.Comments, func(c yaml.Comment) bool { return strings.Contains(c.Text, schemaAddress) })
}

// IsConfig reports whether a mapping is a configuration, by its keys.
func IsConfig(name string, root *yaml.Node) bool {
	return isConfigWith(root.Get("tests").List(), name, root)
}

// isConfigWith is IsConfig for a mapping with other tests.
func isConfigWith(list []*yaml.Node, name string, root *yaml.Node) bool {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if !agentv.HasAnyKey(root, "prompts", "providers", "targets") {
		return false
	}
	if strings.HasPrefix(base, "promptfooconfig.") || agentv.HasAnyKey(root, ownKeys...) {
		return true
	}
	if agentv.HasAnyKey(root, foreignKeys...) || !agentv.HasAnyKey(root, "providers", "targets") || !agentv.HasAnyKey(root, "tests", "scenarios") {
		return false
	}
	if lower := strings.ToLower(base); strings.HasSuffix(lower, ".eval.yaml") || strings.HasSuffix(lower, ".eval.yml") {
		return false
	}
	tests := root.Get("tests")
	for _, scenario := range root.Get("scenarios").List() {
		if agentv.HasAnyKey(scenario, "id") || slices.ContainsFunc(scenario.Get("tests").List(), hasForeignKey) {
			return false
		}
	}
	if len(list) > 0 {
		return !slices.ContainsFunc(list, hasForeignKey)
	}
	return root.Get("name") == nil && !tests.IsNull() || root.Get("scenarios") != nil
}

// ownKeys are keys of a configuration that no other dialect has.
var ownKeys = []string{"defaultTest", "redteam", "evaluateOptions", "derivedMetrics", "commandLineOptions", "outputPath", "nunjucksFilters"}

// foreignKeys are keys of AgentV's suites that promptfoo does not know.
var foreignKeys = []string{
	"evalcases", "testcases", "cases", "eval_cases", "default_test", "evaluate_options", "derived_metrics", "output_path", "nunjucks_filters",
	"environment", "workspace", "execution", "governance", "defaults", "graders", "input", "criteria", "assertions", "timeout_seconds", "name", "version", "experiment",
}

// hasForeignKey reports whether a test has a key that AgentV's tests have and those of promptfoo have not.
func hasForeignKey(test *yaml.Node) bool {
	return agentv.HasAnyKey(test, "id", "input", "criteria", "expected_output", "expected_outcome", "assertions", "rubrics", "conversation_id", "execution", "turns", "eval_id", "question")
}

// isTest reports whether a mapping is a test in a file of its own.
func isTest(n *yaml.Node) bool {
	return n.IsMap() && agentv.HasAnyKey(n, "vars", "assert") && !hasForeignKey(n) && (n.Get("assert") == nil || n.Get("assert").IsSeq()) &&
		!slices.ContainsFunc(n.Entries(), func(p *yaml.Pair) bool { return testType.Field(p.Key.Value) == nil })
}
