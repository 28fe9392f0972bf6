// Package dialect lists the supported file formats and their JSON Schemas.
package dialect

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/schema"
)

// Names returns the names of the dialects, as results name them.
func Names() []string { return []string{agentv.Name, adk.Name} }

// schemaBaseURL is the prefix of the schemas' $id. Nothing fetches it.
const schemaBaseURL = "https://rubric-ls.github.io/schema/"

// File is a kind of file with its JSON Schema.
type File struct {
	Dialect string
	Version agentv.Version // of AgentV's files; "" for the oldest
	schema.Document
}

// Files returns the kinds of files of all dialects and versions, in the reference's order.
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

// Schemas returns the JSON Schemas of all kinds of files, in the reference's order.
func Schemas() (all []schema.Document) {
	for _, f := range Files() {
		all = append(all, f.Document)
	}
	return all
}
