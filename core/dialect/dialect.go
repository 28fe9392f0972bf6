// Package dialect lists the file formats that are understood, and their JSON
// Schemas. What a format is, its own package says.
package dialect

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/schema"
)

// Names are the dialects, as results name them.
func Names() []string { return []string{agentv.Name, adk.Name} }

// schemaBaseURL is where the JSON Schemas are identified to be; nothing is fetched.
const schemaBaseURL = "https://rubric-ls.github.io/schema/"

// File is a kind of file, and its JSON Schema.
type File struct {
	Dialect string
	Version agentv.Version // of AgentV's files; "" for the oldest
	schema.Document
}

// Files are the kinds of files of all dialects and versions, in the order of the
// reference.
func Files() (all []File) {
	for _, f := range slices.Concat(agentv.Files(), tables.Files()) {
		all = append(all, File{agentv.Name, f.Version, newDocument(f.Name, f.Title, f.Type)})
	}
	for _, k := range adk.Files() {
		all = append(all, File{Dialect: adk.Name, Document: newDocument(k.Name, k.Title, k.Type)})
	}
	return all
}

func newDocument(name, title string, t *schema.Type) schema.Document {
	return schema.Document{Name: name, ID: schemaBaseURL + name + ".schema.json", Title: title, Root: t}
}

// Schemas are the JSON Schemas of all kinds of files, in the order of the
// reference.
func Schemas() []schema.Document {
	var all []schema.Document
	for _, f := range Files() {
		all = append(all, f.Document)
	}
	return all
}
