// Package dialect lists the supported file formats, their versions and their JSON Schemas.
package dialect

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/schema"
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
