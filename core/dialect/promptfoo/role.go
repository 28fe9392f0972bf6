// Package promptfoo reads the configurations of promptfoo 0.121.20 and its files of tests.
//
// A configuration multiplies prompts, providers and tests with their variables. [Lower] expands it into
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

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/schema"
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
	root := tree.Root()
	isOther := func(n *yaml.Node) bool { return !isTest(n) }
	switch items := root.List(); {
	case root.IsMap() && (isConfig(name, root, root.Get("tests").List()) || hasModeline(tree)):
		return Config
	case len(items) > 0 && !slices.ContainsFunc(items, isOther):
		return Tests
	}
	return ""
}

func hasModeline(tree *yaml.Tree) bool {
	return slices.ContainsFunc(tree.Comments, func(c yaml.Comment) bool { return strings.Contains(c.Text, schemaAddress) })
}

// isConfig reports whether a mapping with some tests is a configuration, by its keys and the name of its file.
func isConfig(name string, root *yaml.Node, tests []*yaml.Node) bool {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	hasProviders, suffix := agentv.HasAnyKey(root, "providers", "targets"), strings.ToLower(base)
	isForeign := func(scenario *yaml.Node) bool {
		return agentv.HasAnyKey(scenario, "id") || slices.ContainsFunc(scenario.Get("tests").List(), hasForeignKey)
	}
	switch {
	case !hasProviders && root.Get("prompts") == nil:
		return false
	case strings.HasPrefix(base, "promptfooconfig."), agentv.HasAnyKey(root, ownKeys...):
		return true
	case agentv.HasAnyKey(root, foreignKeys...), !hasProviders, strings.HasSuffix(suffix, ".eval.yaml"), strings.HasSuffix(suffix, ".eval.yml"),
		slices.ContainsFunc(root.Get("scenarios").List(), isForeign), slices.ContainsFunc(tests, hasForeignKey):
		return false
	}
	return len(tests) > 0 || !root.Get("tests").IsNull() || root.Get("scenarios") != nil
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

func init() {
	dialect.Register(dialect.Other{
		Name: Name, Version: Version, RoleOf: RoleOf, Mismatches: mismatches,
		Files: []dialect.OtherFile{
			{Role: Config, Document: schema.Document{Name: "promptfoo-config", Title: "promptfoo configuration", Root: ConfigFile}},
			{Role: Tests, Document: schema.Document{Name: "promptfoo-tests", Title: "promptfoo tests", Root: TestsFile}},
		},
		Lower: Lower, Divide: divide,
		ForeignRules: []string{
			"loader-loss", "not-supported", "asserts-nothing", // those of promptfoo have own rules
			"yaml-lookalike",     // it reads YAML 1.2 but for dates; see changed-value
			"schema-not-applied", // its own schema has fewer rules than the field table
			"id-style",           // its tests have numbers
		},
	})
}

// mismatches leaves out the keys that only hold what the file refers to elsewhere, and settings for a provider
// among a test's options.
func mismatches(t *yaml.Tree, found []conform.Mismatch) []conform.Mismatch {
	return slices.DeleteFunc(found, func(m conform.Mismatch) bool {
		switch {
		case m.Kind == conform.UnknownKey && m.Owner == ConfigFile:
			hasAnchor := func(n *yaml.Node) bool { return n.Anchor != "" && n.Kind != yaml.Alias }
			isUse := func(n *yaml.Node) bool { return n.Kind == yaml.Alias && strings.HasPrefix(n.Value+"/", "#/"+m.Key+"/") }
			return strings.HasPrefix(m.Key, "x-") || m.Suggestion == "" && has(t.Root().Get(m.Key), hasAnchor) || has(t.Root(), isUse)
		case m.Kind == conform.UnknownKey && m.Owner == testOptionsType:
			return m.Suggestion == ""
		case m.Kind == conform.UnknownValue:
			name, _ := m.Node.Str()
			return assertion.TypeOf(name).Name != "" // one that the table does not list
		case m.Kind == conform.NoValue:
			return m.Owner != nil && m.Owner.Name != "test" && m.Field == nil
		}
		return false
	})
}
