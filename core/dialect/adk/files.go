package adk

import "github.com/rubric-ls/rubric/core/schema"

// FileKind is a kind of file of this dialect.
type FileKind struct {
	Role  Role
	Name  string // of its JSON Schema, as `rubric schema` takes it
	Title string
	Type  *schema.Type
}

// Files are the kinds of files, the evalset first.
func Files() []FileKind {
	return []FileKind{
		{EvalSet, "adk-evalset", "ADK evalset", SetFile},
		{Config, "adk-config", "ADK evaluation config", ConfigFile},
		{Results, "adk-results", "ADK evalset result", ResultsFile},
		{Older, "adk-older", "ADK conversations by name", OlderFile},
		{Turns, "adk-turns", "ADK conversation as a list of turns", TurnsFile},
	}
}

// TypeForRole is what a file with a role has to hold; nil for no role.
func TypeForRole(role Role) *schema.Type {
	for _, k := range Files() {
		if k.Role == role {
			return k.Type
		}
	}
	return nil
}
