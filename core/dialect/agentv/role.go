package agentv

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Role is what part a file plays.
type Role string

const (
	Eval         Role = "eval"      // cases in YAML
	NewerEval    Role = "newer"     // cases in YAML, of a later version of AgentV
	Cases        Role = "cases"     // cases in JSONL, of any version
	TestList     Role = "tests"     // cases in YAML, a list alone, of a later version
	ScenarioList Role = "scenarios" // tests and what they are crossed with, a list alone, of a later version
	Sidecar      Role = "sidecar"   // what holds for the JSONL file beside it
	Targets      Role = "targets"   // systems under test
	Providers    Role = "providers" // systems under test, as later versions have them
	Config       Role = "config"    // .agentv/config.yaml
	Labels       Role = "labels"    // people's grades beside an eval file; not AgentV's own
)

// ReferenceRoleOf is the role that the reference implementation sees in a YAML file:
// what its $schema says, else what its place says, else an eval file.
func ReferenceRoleOf(name string, root *yaml.Node) Role {
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
		switch yamlStem(name) {
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
	role := ReferenceRoleOf(name, root)
	switch {
	case isLabelsFile(name):
		return Labels
	case strings.EqualFold(path.Ext(name), ".jsonl"):
		return Cases
	case role != Eval || root.Get("evalcases") != nil:
		return role
	case hasCases && !root.IsSeq():
		return Sidecar
	case root.Get("targets") != nil && yamlStem(strings.ReplaceAll(name, `\`, "/")) == "targets":
		return Targets
	case root.IsSeq() || hasAnyKey(root, "providers") && yamlStem(strings.ReplaceAll(name, `\`, "/")) == "providers":
		return roleOfList(root)
	case hasAnyKey(root, "tests", "eval_cases", "cases", "scenarios"):
		return NewerEval
	}
	return Eval
}

// roleOfList is the part of a file that is a list alone, as its items tell, or of
// one that holds a list of providers.
func roleOfList(root *yaml.Node) Role {
	items := root.List()
	if list := root.Get("providers"); list != nil {
		return Providers
	}
	if len(items) == 0 {
		return Eval
	}
	switch first := items[0]; {
	case hasAnyKey(first, "label", "runtime", "config") && hasAnyKey(first, "id") && !hasAnyKey(first, "tests"):
		return Providers
	case hasAnyKey(first, "config") && hasAnyKey(first, "tests"):
		return ScenarioList
	case hasAnyKey(first, "vars", "assert", "assertions", "criteria", "input") && hasAnyKey(first, "id", "vars"):
		return TestList
	}
	return Eval
}

func yamlStem(name string) string {
	switch ext := path.Ext(name); ext {
	case ".yaml", ".yml":
		return strings.TrimSuffix(path.Base(name), ext)
	}
	return ""
}

// CaseFormat is how a file of cases is written, by its extension: "yaml", "jsonl",
// or "" for what the reference implementation does not read.
func CaseFormat(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml":
		return "yaml"
	case ".jsonl":
		return "jsonl"
	}
	return ""
}

// IsRecognised reports whether a file of some role says of itself that it is one
// of ours, by its keys or, for eval files, by its name.
func IsRecognised(role Role, name string, root *yaml.Node) bool {
	switch role {
	case Eval:
		schema, _ := root.Get("$schema").Str()
		return hasAnyKey(root, "evalcases", "testcases") || strings.HasPrefix(schema, "agentv-") || isEvalFileName(name)
	case NewerEval:
		return isEvalFileName(name) || yamlStem(strings.ReplaceAll(name, `\`, "/")) == "suite"
	case TestList, ScenarioList, Providers:
		first := root
		if items := root.List(); len(items) > 0 {
			first = items[0]
		}
		return role == ScenarioList || role == Providers && strings.Contains("/"+name, "/.agentv/") ||
			role == TestList && hasAnyKey(first, "assert", "assertions", "criteria")
	case Cases:
		return hasAnyKey(root, "id") && hasAnyKey(root, "expected_outcome", "outcome", "input", "input_messages", "criteria", "vars", "assert", "assertions")
	}
	return true
}

func hasAnyKey(root *yaml.Node, keys ...string) bool {
	for _, key := range keys {
		if root.Get(key) != nil {
			return true
		}
	}
	return false
}

// isEvalFileName reports whether a file is called an eval: refund.eval.yaml.
func isEvalFileName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".eval.yaml") || strings.HasSuffix(name, ".eval.yml")
}
