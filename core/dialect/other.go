package dialect

import (
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Other is a dialect that a program can leave out, as rubric-small.wasm does. The package of the dialect
// registers it.
type Other struct {
	Name string
	// RoleOf returns the role of a file, or "" if it is of another dialect.
	RoleOf func(path string, t *yaml.Tree) agentv.Role
	// IsNear reports whether a file may be of this dialect, by its tree without its list of cases.
	IsNear func(path string, header *yaml.Tree) bool
	// Suite is the role of files that can be run.
	Suite      agentv.Role
	TypeOf     func(agentv.Role) *schema.Type
	Mismatches func(*yaml.Tree, agentv.Role) []conform.Mismatch
	Lower      func(Reader, *yaml.Tree, agentv.Role) *rubric.Suite
	Files      func() []schema.Document // without their addresses
	// ForeignRules are the lint rules that do not hold for its files.
	ForeignRules []string
}

// Reader is what lowering a file may ask its host. A function is nil if the host cannot answer it.
type Reader struct {
	Name      string // of the suite, if the file has no description
	ReadFile  func(reference string) (body string, found bool)
	ListFiles func(pattern string) []string
	Own       bool // read only the tests of this file, each with its first values and its first prompt
}

var others []*Other

// Register adds a dialect.
func Register(o Other) { others = append(others, &o) }

// ForRole returns the registered dialect whose files have a role, or nil.
func ForRole(role agentv.Role) *Other {
	if i := slices.IndexFunc(others, func(o *Other) bool { return o.TypeOf(role) != nil }); i >= 0 {
		return others[i]
	}
	return nil
}

// Recognise returns the registered dialect of a file, and its role, or nil.
func Recognise(path string, t *yaml.Tree) (*Other, agentv.Role) {
	for _, o := range others {
		if role := o.RoleOf(path, t); role != "" {
			return o, role
		}
	}
	return nil, ""
}

// IsNearOther reports whether a file may be of a registered dialect, by its tree without its list of cases.
func IsNearOther(path string, header *yaml.Tree) bool {
	return slices.ContainsFunc(others, func(o *Other) bool { return o.IsNear(path, header) })
}
