package agentv

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Role is what part a file plays.
type Role string

const (
	Eval      Role = "eval"      // cases in YAML
	Later     Role = "newer"     // cases in YAML, of a later version of AgentV
	Cases     Role = "cases"     // cases in JSONL, of any version
	Listed    Role = "tests"     // cases in YAML, a list alone, of a later version
	Scenarios Role = "scenarios" // tests and what they are crossed with, a list alone, of a later version
	Beside    Role = "sidecar"   // what holds for the JSONL file beside it
	Targets   Role = "targets"   // systems under test
	Providers Role = "providers" // systems under test, as later versions have them
	Config    Role = "config"    // .agentv/config.yaml
	Labels    Role = "labels"    // people's grades beside an eval file; not AgentV's own
)

// FileType is the role that the reference implementation sees in a YAML file:
// what its $schema says, else what its place says, else an eval file.
func FileType(name string, root *yaml.Node) Role {
	switch schema, _ := root.Get("$schema").Str(); schema {
	case "agentv-eval-v2":
		return Eval
	case "agentv-targets-v2.2":
		return Targets
	case "agentv-config-v2":
		return Config
	}
	name = strings.ReplaceAll(name, `\`, "/")
	if strings.Contains("/"+name, "/.agentv/") {
		switch base(name) {
		case "config":
			return Config
		case "targets":
			return Targets
		}
	}
	return Eval
}

// RoleOf is the part that a file plays in a run. It sees more than [FileType]:
// JSONL, the YAML file beside a JSONL file, which hasCases tells, a targets.yaml
// outside .agentv, which runs read too, and later versions by the name of their
// list of cases.
func RoleOf(name string, root *yaml.Node, hasCases bool) Role {
	role := FileType(name, root)
	switch {
	case isLabelsName(name):
		return Labels
	case strings.EqualFold(path.Ext(name), ".jsonl"):
		return Cases
	case role != Eval || root.Get("evalcases") != nil:
		return role
	case hasCases && !root.IsSeq():
		return Beside
	case root.Get("targets") != nil && base(strings.ReplaceAll(name, `\`, "/")) == "targets":
		return Targets
	case root.IsSeq() || has(root, "providers") && base(strings.ReplaceAll(name, `\`, "/")) == "providers":
		return listRole(root)
	case has(root, "tests", "eval_cases", "cases", "scenarios"):
		return Later
	}
	return Eval
}

// listRole is the part of a file that is a list alone, as its items tell, or of
// one that holds a list of providers.
func listRole(root *yaml.Node) Role {
	items := root.List()
	if list := root.Get("providers"); list != nil {
		return Providers
	}
	if len(items) == 0 {
		return Eval
	}
	switch first := items[0]; {
	case has(first, "label", "runtime", "config") && has(first, "id") && !has(first, "tests"):
		return Providers
	case has(first, "config") && has(first, "tests"):
		return Scenarios
	case has(first, "vars", "assert", "assertions", "criteria", "input") && has(first, "id", "vars"):
		return Listed
	}
	return Eval
}

func base(name string) string {
	switch ext := path.Ext(name); ext {
	case ".yaml", ".yml":
		return strings.TrimSuffix(path.Base(name), ext)
	}
	return ""
}

// Format is how a file of cases is written, by its extension: "yaml", "jsonl",
// or "" for what the reference implementation does not read.
func Format(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml":
		return "yaml"
	case ".jsonl":
		return "jsonl"
	}
	return ""
}

// Recognised reports whether a file of some role says of itself that it is one
// of ours, by its keys or, for eval files, by its name.
func Recognised(role Role, name string, root *yaml.Node) bool {
	switch role {
	case Eval:
		schema, _ := root.Get("$schema").Str()
		return has(root, "evalcases", "testcases") || strings.HasPrefix(schema, "agentv-") || isEvalName(name)
	case Later:
		return isEvalName(name) || base(strings.ReplaceAll(name, `\`, "/")) == "suite"
	case Listed, Scenarios, Providers:
		first := root
		if items := root.List(); len(items) > 0 {
			first = items[0]
		}
		return role == Scenarios || role == Providers && strings.Contains("/"+name, "/.agentv/") ||
			role == Listed && has(first, "assert", "assertions", "criteria")
	case Cases:
		return has(root, "id") && has(root, "expected_outcome", "outcome", "input", "input_messages", "criteria", "vars", "assert", "assertions")
	}
	return true
}

func has(root *yaml.Node, keys ...string) bool {
	for _, key := range keys {
		if root.Get(key) != nil {
			return true
		}
	}
	return false
}

// isEvalName reports whether a file is called an eval: refund.eval.yaml.
func isEvalName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".eval.yaml") || strings.HasSuffix(name, ".eval.yml")
}
