package agentv

import "github.com/rubric-ls/rubric/core/schema"

// File is a kind of file of this dialect.
type File struct {
	Role  Role
	Name  string // of its JSON Schema, as `rubric schema` takes it
	Title string
	Type  *schema.Type
}

// Files are the kinds of files, the eval file first.
func Files() []File {
	return []File{
		{Eval, "agentv", "AgentV eval file", EvalFile},
		{Cases, "agentv-cases", "AgentV case, a line of a JSONL file", caseType},
		{Beside, "agentv-sidecar", "AgentV sidecar of a JSONL file", Sidecar},
		{Targets, "agentv-targets", "AgentV targets", TargetsFile},
		{Config, "agentv-config", "AgentV configuration", ConfigFile},
	}
}

// FileOf is the kind of file with a role.
func FileOf(role Role) File {
	for _, f := range Files() {
		if f.Role == role {
			return f
		}
	}
	return Files()[0]
}
