package adk

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's name.
const Name = "adk"

// ConfigName is the file name of a configuration that applies to its directory.
const ConfigName = "test_config.json"

// Role is the role of a file.
type Role string

const (
	EvalSet Role = "evalset" // cases
	Older   Role = "older"   // conversations by name, the form before evalsets
	Turns   Role = "turns"   // one conversation as a list of turns, the oldest form
	Config  Role = "config"  // the metrics to measure
	Results Role = "results" // measured results with the conversations
	None    Role = ""        // not a file of this dialect
)

// HasCases reports whether a file of the role has cases, in any form.
func (r Role) HasCases() bool { return r == EvalSet || r == Older || r == Turns }

// IsMeasured reports whether metrics, not graders, evaluate a file of the role.
func (r Role) IsMeasured() bool { return r.HasCases() || r == Results }

// RoleOf returns the role of a file by its name, or else by its keys. Names that other tools also
// use, and YAML files, need characteristic keys.
func RoleOf(name string, root *yaml.Node) Role {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	if IsJSON(name) {
		if fragment := findFragment(root); fragment != nil {
			return fragment.Role
		}
	}
	switch {
	case IsResultsName(base):
		return Results
	case strings.HasSuffix(base, ".evalset.json"), strings.HasSuffix(base, ".test.json") && isEmptyOrHas(root, "eval_set_id", "eval_cases"):
		switch {
		case isTurns(root):
			return Turns
		case root.IsSeq():
			return Older
		}
		return EvalSet
	case isConfigName(base) && isEmptyOrHas(root, "criteria", "custom_metrics", "user_simulator_config", "live_model_config"):
		return Config
	}
	switch json := IsJSON(name); {
	case json && isTurns(root) && hasExpectation(root.List()[0]):
		return Turns
	case LookupPair(root, resultsKey) != nil, json && isEncoded(root):
		return Results
	case json && isNamedList(root) && isTurns(root.List()[0].Get("data")):
		return Older
	case LookupPair(root, "eval_cases") != nil && LookupPair(root, "eval_set_id") != nil:
		return EvalSet
	case isCriteria(root.Get("criteria")):
		return Config
	}
	return None
}

// IsResultsName reports whether a file name is that of a result file.
func IsResultsName(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), ".evalset_result.json")
}

// IsKnownName reports whether ADK searches a directory for files with this name.
func IsKnownName(name string) bool {
	name = strings.ToLower(name)
	return isConfigName(name) || IsResultsName(name) || strings.HasSuffix(name, ".evalset.json") || strings.HasSuffix(name, ".test.json")
}

// isConfigName reports whether a name is that of a configuration: the one that ADK searches for, or
// the common one for a file named on the command line.
func isConfigName(name string) bool { return name == ConfigName || name == "eval_config.json" }

// isEmptyOrHas reports whether a file is empty, is a list of turns, names a metric, or has one of
// the keys or a misspelling of it.
func isEmptyOrHas(root *yaml.Node, keys ...string) bool {
	for _, p := range root.Entries() {
		if spell.Nearest(p.Key.Value, keys) != "" || isCriteria(p.Value) {
			return true
		}
	}
	return len(root.Entries()) == 0 && len(root.List()) == 0 || isTurns(root) || isNamedList(root)
}

// isEncoded reports whether a file holds the JSON of results as a string, as older result files do.
func isEncoded(root *yaml.Node) bool {
	inner := root.Text()
	return strings.Contains(inner, `"`+resultsKey+`"`) || strings.Contains(inner, `"`+schema.CamelCase(resultsKey)+`"`)
}

// isTurns reports whether a file is a list of turns.
func isTurns(root *yaml.Node) bool {
	list := root.List()
	return len(list) > 0 && list[0].Get("query") != nil && list[0].Get("data") == nil
}

// hasExpectation reports whether an older turn has an expectation. Other lists of queries have none.
func hasExpectation(turn *yaml.Node) bool {
	return slices.ContainsFunc(olderTurnType.Fields, func(f *schema.Field) bool { return f.Key != "query" && turn.Get(f.Key) != nil })
}

// isNamedList reports whether a file is a list of named conversations.
func isNamedList(root *yaml.Node) bool {
	list := root.List()
	return len(list) > 0 && list[0].Get("data").IsSeq()
}

// isCriteria reports whether a mapping names a built-in metric.
func isCriteria(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Entries(), func(p *yaml.Pair) bool { return criteriaTable.Field(p.Key.Value) != nil })
}

// lookup returns a value by its key in snake_case or camelCase. The latter takes precedence, as in
// ADK.
func lookup(n *yaml.Node, key string) *yaml.Node { return generic.OrZero(LookupPair(n, key)).Value }

// LookupPair returns the entry of a key in either style, or nil.
func LookupPair(n *yaml.Node, key string) *yaml.Pair {
	return cmp.Or(n.Pair(schema.CamelCase(key)), n.Pair(key))
}

// FileKind is a kind of file of this dialect.
type FileKind struct {
	Role  Role
	Name  string // the JSON Schema's name, as `rubric schema` takes it
	Title string
	Type  *schema.Type
}

// Files returns the kinds of files, the evalset first.
func Files() []FileKind {
	return []FileKind{
		{EvalSet, "adk-evalset", "ADK evalset", SetFile},
		{Config, "adk-config", "ADK evaluation config", ConfigFile},
		{Results, "adk-results", "ADK evalset result", ResultsFile},
		{Older, "adk-older", "ADK conversations by name", OlderFile},
		{Turns, "adk-turns", "ADK conversation as a list of turns", TurnsFile},
	}
}

// TypeForRole returns the table for a role, or nil.
func TypeForRole(role Role) *schema.Type {
	for _, k := range Files() {
		if k.Role == role {
			return k.Type
		}
	}
	return nil
}
