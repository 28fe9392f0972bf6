// Package agentv reads AgentV's eval files in the format of early 2026: `evalcases` with
// `expected_outcome` and `rubrics`, in YAML or JSONL. It also reads the targets and
// configuration files that belong to them.
//
// [Lower] follows the loader of the reference implementation, version 2.5.8. It records
// everything that the loader skips, coerces or refuses as a loss, so that scores agree and
// no data disappears silently. The field tables describe the keys of each kind of file.
// Package v4 reads the later versions.
//
// The package reads syntax trees. It opens no files and words no diagnostics.
package agentv

import "github.com/rubric-ls/rubric/core/schema"

// Version is a release of AgentV whose behaviour is reproduced in full. The value is its name in
// results and conformance cases.
type Version string

// The versions, oldest first.
const (
	Seed Version = "seed"          // 2.5.8, as of 2026-02-06
	V4   Version = "stable-4.42.4" // 2026-06-19
	Head Version = "head"          // 5.3.1-next.1, as of 2026-07-08
)

// File is a kind of file of this dialect.
type File struct {
	Version Version // "" for the seed's
	Role    Role
	Name    string // the JSON Schema's name, as `rubric schema` takes it
	Title   string
	Type    *schema.Type
}

// Files returns the kinds of files, the eval file first.
func Files() []File {
	return []File{
		{Role: Eval, Name: "agentv", Title: "AgentV eval file", Type: EvalFile},
		{Role: Cases, Name: "agentv-cases", Title: "AgentV case, a line of a JSONL file", Type: CaseType},
		{Role: Sidecar, Name: "agentv-sidecar", Title: "AgentV sidecar of a JSONL file", Type: SidecarFile},
		{Role: Targets, Name: "agentv-targets", Title: "AgentV targets", Type: TargetsFile},
		{Role: Labels, Name: "agentv-labels", Title: "Labels: people's grades for an AgentV eval file", Type: LabelsFile},
		{Role: Config, Name: "agentv-config", Title: "AgentV configuration", Type: ConfigFile},
	}
}

// FileForRole returns the kind of file for a role.
func FileForRole(role Role) File {
	for _, f := range Files() {
		if f.Role == role {
			return f
		}
	}
	return Files()[0]
}
