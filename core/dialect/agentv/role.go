package agentv

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Role is the role of a file in a project.
type Role string

const (
	Eval         Role = "eval"      // cases in YAML, of the seed
	EvalV4       Role = "eval-v4"   // cases in YAML, of version 4 or head
	Cases        Role = "cases"     // cases in JSONL, of any version
	TestList     Role = "tests"     // a list of cases in YAML, of a later version
	ScenarioList Role = "scenarios" // a list of scenarios in YAML, of a later version
	Sidecar      Role = "sidecar"   // settings for the JSONL file with the same base name
	Targets      Role = "targets"   // systems under test
	Providers    Role = "providers" // systems under test, in later versions
	Config       Role = "config"    // .agentv/config.yaml
	Labels       Role = "labels"    // people's grades for an eval file's cases; not AgentV's own format
	Settings     Role = "settings"  // .rubric.yaml, a project's settings; not AgentV's own format
)

// SettingsName is the name of a project's settings file.
const SettingsName = ".rubric.yaml"

// ReferenceRoleOf returns the role that the reference implementation assigns to a YAML file: by
// its $schema, else by its path, else an eval file.
func ReferenceRoleOf(name string, root *yaml.Node) Role {
	switch schema := root.Get("$schema").Text(); schema {
	case "agentv-eval-v2":
		return Eval
	case "agentv-targets-v2.2":
		return Targets
	case "agentv-config-v2":
		return Config
	}
	name = strings.ReplaceAll(name, `\`, "/")
	if strings.Contains("/"+name, "/.agentv/") {
		switch yamlStem(name) {
		case "config":
			return Config
		case "targets":
			return Targets
		}
	}
	return Eval
}

// RoleOf returns the role of a file in a run. Besides the roles of [ReferenceRoleOf] it knows
// JSONL files, sidecars (hasCases reports a JSONL file of the same name), a targets.yaml
// outside .agentv, and later versions by the key of their list of cases.
func RoleOf(name string, root *yaml.Node, hasCases bool) Role {
	role := ReferenceRoleOf(name, root)
	switch {
	case strings.HasSuffix(strings.ToLower(yamlStem(name)), labelsSuffix):
		return Labels
	case path.Base(strings.ReplaceAll(name, `\`, "/")) == SettingsName:
		return Settings
	case strings.EqualFold(path.Ext(name), ".jsonl"):
		return Cases
	case role != Eval || root.Get("evalcases") != nil:
		return role
	case hasCases && !root.IsSeq():
		return Sidecar
	case root.Get("targets") != nil && yamlStem(name) == "targets":
		return Targets
	case yamlStem(name) == "providers" && strings.Contains("/"+strings.ReplaceAll(name, `\`, "/"), "/.agentv/"):
		return Providers
	case root.IsSeq() || HasAnyKey(root, "providers") && yamlStem(name) == "providers":
		return roleOfList(name, root)
	case HasAnyKey(root, "tests", "eval_cases", "cases", "scenarios"):
		return EvalV4
	}
	return Eval
}

// roleOfList returns the role of a file that is a list, or holds a list of providers, judged by
// its items.
func roleOfList(name string, root *yaml.Node) Role {
	items := root.List()
	if list := root.Get("providers"); list != nil {
		return Providers
	}
	if len(items) == 0 {
		return Eval
	}
	switch first := items[0]; {
	case HasAnyKey(first, "label", "runtime", "config") && HasAnyKey(first, "id") && !HasAnyKey(first, "tests"):
		return Providers
	case HasAnyKey(first, "config") && HasAnyKey(first, "tests"):
		return ScenarioList
	case HasAnyKey(first, "vars", "assert", "assertions", "criteria", "input") && HasAnyKey(first, "id", "vars"),
		HasAnyKey(first, "id") && isBelowEvals(name) && !isEvalName(name): // the first test is half typed
		return TestList
	}
	return Eval
}

// yamlStem returns the base name of a YAML file without its extension; "" for other files.
func yamlStem(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	switch ext := path.Ext(name); ext {
	case ".yaml", ".yml":
		return strings.TrimSuffix(path.Base(name), ext)
	}
	return ""
}

// CaseFormat returns the format of a file of cases by its extension: "yaml", "jsonl", or "" if the
// reference implementation does not read it.
func CaseFormat(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml":
		return "yaml"
	case ".jsonl":
		return "jsonl"
	}
	return ""
}

// IsRecognised reports whether a file with a role identifies itself as an AgentV file, by its
// keys or, for eval files, by its name.
func IsRecognised(role Role, name string, root *yaml.Node) bool {
	isNamed := isEvalName(name)
	switch role {
	case Eval:
		return HasAnyKey(root, "evalcases", "testcases") || strings.HasPrefix(root.Get("$schema").Text(), "agentv-") || isNamed
	case EvalV4:
		return isNamed || yamlStem(name) == "suite" || strings.EqualFold(yamlStem(name), "eval")
	case TestList, ScenarioList, Providers:
		first := root
		if items := root.List(); len(items) > 0 {
			first = items[0]
		}
		return role == ScenarioList || role == Providers && strings.Contains("/"+name, "/.agentv/") ||
			role == TestList && HasAnyKey(first, "assert", "assertions", "criteria")
	case Cases:
		return isNamed ||
			HasAnyKey(root, "id") && HasAnyKey(root, "expected_outcome", "outcome", "input", "input_messages", "criteria", "vars", "assert", "assertions")
	}
	return true
}

// MayBecomeCases reports whether a file that is not recognised may hold cases once its keys are typed: a list of
// cases below a folder evals.
func MayBecomeCases(role Role, name string) bool {
	return (role == Cases || role == TestList) && isBelowEvals(name)
}

func isEvalName(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc([]string{".yaml", ".yml", ".json", ".jsonl"}, func(ext string) bool { return strings.HasSuffix(lower, ".eval"+ext) })
}

func isBelowEvals(name string) bool {
	return strings.Contains("/"+strings.ReplaceAll(name, `\`, "/"), "/evals/")
}

// HasAnyKey reports whether a mapping has one of the keys.
func HasAnyKey(n *yaml.Node, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
}

// FirstValue returns the first value under keys that is not null, or nil.
func FirstValue(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); !v.IsNull() {
			return v
		}
	}
	return nil
}

// FirstString returns the value of the first key that holds a string, or nil.
func FirstString(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if _, ok := n.Get(key).Str(); ok {
			return n.Get(key)
		}
	}
	return nil
}
