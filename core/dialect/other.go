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
	Name    string
	Version string // whose behaviour is reproduced
	// RoleOf returns the role of a file, or "" if it is of another dialect.
	RoleOf func(path string, t *yaml.Tree) agentv.Role
	// Mismatches returns those of the mismatches with the field table that count.
	Mismatches func(*yaml.Tree, []conform.Mismatch) []conform.Mismatch
	Lower      func(Reader, *yaml.Tree, agentv.Role) *rubric.Suite
	// Divide returns what lowers a part of a list, which begins at an index, with the rest of the file as the
	// header. It is nil for a header, and reports false for a part, with which the file must be read as a whole.
	Divide func(r Reader, path string, header *yaml.Tree, key string) LowerPart
	Files  []OtherFile // those that can be run first
	// ForeignRules are the lint rules that do not hold for its files.
	ForeignRules []string
}

// OtherFile is a kind of file of a registered dialect. The document has no address.
type OtherFile struct {
	Role agentv.Role
	schema.Document
}

// TypeOf returns the table for a role, or nil.
func (o *Other) TypeOf(role agentv.Role) *schema.Type {
	for _, f := range o.Files {
		if f.Role == role {
			return f.Root
		}
	}
	return nil
}

// LowerPart lowers a part of a list of cases.
type LowerPart func(part *yaml.Tree, index int) (suite *rubric.Suite, isPart bool)

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

// Others returns the registered dialects.
func Others() []*Other { return others }

// ForRole returns the registered dialect whose files have a role, or nil.
func ForRole(role agentv.Role) *Other {
	if i := slices.IndexFunc(others, func(o *Other) bool { return o.TypeOf(role) != nil }); i >= 0 {
		return others[i]
	}
	return nil
}

// IsOtherSuite reports whether a role is that of files of a registered dialect that can be run.
func IsOtherSuite(role agentv.Role) bool {
	o := ForRole(role)
	return o != nil && o.Files[0].Role == role
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
