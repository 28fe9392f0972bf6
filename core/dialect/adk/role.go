package adk

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's.
const Name = "adk"

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

// RoleOf is the part that a file plays: by its name, or else by its keys.
func RoleOf(name string, root *yaml.Node) Role {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch {
	case strings.HasSuffix(base, ".evalset_result.json"):
		return Results
	case strings.HasSuffix(base, ".evalset.json"), strings.HasSuffix(base, ".test.json"):
		switch {
		case isTurns(root):
			return Turns
		case root.IsSeq():
			return Older
		}
		return EvalSet
	case base == "test_config.json":
		return Config
	}
	return roleByKeys(root)
}

func roleByKeys(root *yaml.Node) Role {
	switch {
	case isTurns(root):
		return Turns
	case get(root, "eval_case_results") != nil:
		return Results
	case isNamed(root):
		return Older
	case get(root, "eval_cases") != nil:
		return EvalSet
	case isCriteria(root.Get("criteria")):
		return Config
	}
	return None
}

// isTurns reports whether a file is a list of turns.
func isTurns(root *yaml.Node) bool {
	list := root.List()
	return len(list) > 0 && list[0].Get("query") != nil && list[0].Get("data") == nil
}

// isNamed reports whether a file is a list of conversations with names.
func isNamed(root *yaml.Node) bool {
	list := root.List()
	return len(list) > 0 && list[0].Get("data").IsSeq()
}

// isCriteria reports whether a mapping names a metric of ADK's.
func isCriteria(n *yaml.Node) bool {
	for _, p := range n.Entries() {
		if criteriaType.Field(p.Key.Value) != nil {
			return true
		}
	}
	return false
}

// get is a value by its key in either style: as_such or asSuch. Of both the
// second counts, as for ADK.
func get(n *yaml.Node, key string) *yaml.Node {
	if v := n.Get(camel(key)); v != nil {
		return v
	}
	return n.Get(key)
}

// camel is a key in the style of JavaScript.
func camel(key string) string {
	words := strings.Split(key, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
