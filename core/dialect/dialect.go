// Package dialect lists the supported file formats, their versions and their JSON Schemas.
package dialect

import (
	"slices"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Names returns the names of the dialects, as results name them.
func Names() []string {
	names := []string{agentv.Name, adk.Name}
	for _, o := range others {
		if o.Name != "" {
			names = append(names, o.Name)
		}
	}
	return names
}

// schemaBaseURL is the prefix of the schemas' $id. Nothing fetches it.
const schemaBaseURL = "https://rubric-ls.github.io/schema/"

// File is a kind of file with its JSON Schema.
type File struct {
	Dialect string
	Version agentv.Version // of AgentV's files; "" for the oldest
	schema.Document
}

// agentvFiles are the kinds of AgentV's files, by version.
var agentvFiles = slices.Concat(seed.Files, []agentv.File{project.File()}, v4.Files, head.Files)

// FileForRole returns a version's kind of AgentV file for a role. For an unknown version, or a role
// that all versions share, it returns the oldest version's.
func FileForRole(role agentv.Role, version agentv.Version) agentv.File {
	fallback := -1
	for i, f := range agentvFiles {
		switch {
		case f.Role != role:
		case f.Version != "" && f.Version == version, role == agentv.Providers, role == agentv.ScenarioList:
			return f
		case f.Version == "":
			fallback = i
		}
	}
	return agentvFiles[max(fallback, 0)]
}

// Format returns the format of an eval file of AgentV.
func Format(role agentv.Role, version agentv.Version) v4.Format {
	switch {
	case version == agentv.Head:
		return head.Format
	case role == agentv.Eval, role == agentv.Cases && version == "":
		return v4.Seed
	}
	return v4.V4
}

// Files returns the kinds of files of all dialects and versions, in the reference's order.
func Files() (all []File) {
	for _, f := range agentvFiles {
		all = append(all, File{agentv.Name, f.Version, newDocument(f.Name, f.Title, f.Type)})
	}
	for _, k := range adk.Files() {
		all = append(all, File{Dialect: adk.Name, Document: newDocument(k.Name, k.Title, k.Type)})
	}
	for _, o := range others {
		for _, d := range o.Files {
			all = append(all, File{Dialect: o.Name, Document: newDocument(d.Name, d.Title, d.Root)})
		}
	}
	return all
}

func newDocument(name, title string, t *schema.Type) schema.Document {
	return schema.Document{Name: name, ID: SchemaID(name), Title: title, Root: t}
}

// SchemaID returns the address of the JSON Schema called name.
func SchemaID(name string) string { return schemaBaseURL + name + ".schema.json" }

// Schemas returns the JSON Schemas of all kinds of files, in the reference's order.
func Schemas() []schema.Document {
	return generic.Map(Files(), func(f File) schema.Document { return f.Document })
}

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
