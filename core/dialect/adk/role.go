package adk

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's.
const Name = "adk"

// ConfigName is what a configuration is called that holds for the files beside it.
const ConfigName = "test_config.json"

// Role is what part a file plays.
type Role string

const (
	EvalSet Role = "evalset" // cases
	Older   Role = "older"   // cases in the form before evalsets: conversations by name
	Turns   Role = "turns"   // the oldest form: one conversation as a list of turns
	Config  Role = "config"  // the metrics to measure
	Results Role = "results" // what was measured, with the conversations
	None    Role = ""        // no file of this dialect
)

// RoleOf is the part that a file plays: by its name, or else by its keys. Names
// that other tools have too, and YAML, need keys that nothing else has.
func RoleOf(name string, root *yaml.Node) Role {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
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
	return roleByKeys(root, IsJSON(name))
}

// IsResultsName reports whether a file's name is that of a result file.
func IsResultsName(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), ".evalset_result.json")
}

// IsKnownName reports whether a file's name is one that ADK looks for, so that it is
// worth looking at in a folder.
func IsKnownName(name string) bool {
	name = strings.ToLower(name)
	for _, ending := range []string{".evalset.json", ".test.json", ".evalset_result.json"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return isConfigName(name)
}

// isConfigName reports whether a name is that of a configuration: the one that ADK
// looks for, or the one that people give to one they name on the command line.
func isConfigName(name string) bool { return name == ConfigName || name == "eval_config.json" }

// isEmptyOrHas reports whether a file holds nothing yet, a list of turns, a metric, or
// one of some keys or what may be meant for it.
func isEmptyOrHas(root *yaml.Node, keys ...string) bool {
	for _, p := range root.Entries() {
		if spell.Nearest(p.Key.Value, keys) != "" || isCriteria(p.Value) {
			return true
		}
	}
	return len(root.Entries()) == 0 && len(root.List()) == 0 || isTurns(root) || isNamedList(root)
}

func roleByKeys(root *yaml.Node, json bool) Role {
	switch {
	case json && isTurns(root) && hasExpectation(root.List()[0]):
		return Turns
	case lookup(root, resultsKey) != nil, json && isEncoded(root):
		return Results
	case json && isNamedList(root) && isTurns(root.List()[0].Get("data")):
		return Older
	case lookup(root, "eval_cases") != nil && lookup(root, "eval_set_id") != nil:
		return EvalSet
	case isCriteria(root.Get("criteria")):
		return Config
	}
	return None
}

// isEncoded reports whether a file holds the JSON of results as a text once more, as older
// result files do.
func isEncoded(root *yaml.Node) bool {
	inner, _ := root.Str()
	return strings.Contains(inner, `"`+resultsKey+`"`) || strings.Contains(inner, `"`+camelCase(resultsKey)+`"`)
}

// isTurns reports whether a file is a list of turns.
func isTurns(root *yaml.Node) bool {
	list := root.List()
	return len(list) > 0 && list[0].Get("query") != nil && list[0].Get("data") == nil
}

// hasExpectation reports whether an older turn says what is expected, which other lists of
// queries do not.
func hasExpectation(turn *yaml.Node) bool {
	for _, f := range olderTurnType.Fields {
		if f.Key != "query" && turn.Get(f.Key) != nil {
			return true
		}
	}
	return false
}

// isNamedList reports whether a file is a list of conversations with names.
func isNamedList(root *yaml.Node) bool {
	list := root.List()
	return len(list) > 0 && list[0].Get("data").IsSeq()
}

// isCriteria reports whether a mapping names a metric of ADK's.
func isCriteria(n *yaml.Node) bool {
	for _, p := range n.Entries() {
		if criteriaTable.Field(p.Key.Value) != nil {
			return true
		}
	}
	return false
}

// lookup is a value by its key in either style: as_such or asSuch. Of both the
// second counts, as for ADK.
func lookup(n *yaml.Node, key string) *yaml.Node {
	if p := LookupPair(n, key); p != nil {
		return p.Value
	}
	return nil
}

// LookupPair is the entry of a mapping with a key in either style; nil if there is none.
func LookupPair(n *yaml.Node, key string) *yaml.Pair {
	if p := n.Pair(camelCase(key)); p != nil {
		return p
	}
	return n.Pair(key)
}

// camelCase is a key in the style of JavaScript.
func camelCase(key string) string {
	if !strings.Contains(key, "_") {
		return key
	}
	out, upper := make([]byte, 0, len(key)), false
	for _, c := range []byte(key) {
		if c == '_' {
			upper = true
			continue
		}
		if upper && 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		out, upper = append(out, c), false
	}
	return string(out)
}
