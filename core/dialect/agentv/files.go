package agentv

import "github.com/rubric-ls/rubric/core/schema"

// File is a kind of file of this dialect.
type File struct {
	Version Version // "" for the seed's
	Role    Role
	Name    string // of its JSON Schema, as `rubric schema` takes it
	Title   string
	Type    *schema.Type
}

// Files are the kinds of files, the eval file first.
func Files() []File {
	return []File{
		{Role: Eval, Name: "agentv", Title: "AgentV eval file", Type: EvalFile},
		{Role: Cases, Name: "agentv-cases", Title: "AgentV case, a line of a JSONL file", Type: CaseType},
		{Role: Sidecar, Name: "agentv-sidecar", Title: "AgentV sidecar of a JSONL file", Type: SidecarFile},
		{Role: Targets, Name: "agentv-targets", Title: "AgentV targets", Type: TargetsFile},
		{Role: Labels, Name: "agentv-labels", Title: "Labels: people's grades beside an AgentV eval file", Type: LabelsFile},
		{Role: Config, Name: "agentv-config", Title: "AgentV configuration", Type: ConfigFile},
	}
}

// FileForRole is the kind of file with a role.
func FileForRole(role Role) File {
	for _, f := range Files() {
		if f.Role == role {
			return f
		}
	}
	return Files()[0]
}
