// Package dialect lists the file formats that are understood, and their JSON
// Schemas. What a format is, its own package says.
package dialect

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/schema"
)

// Names are the dialects, as results name them.
func Names() []string { return []string{agentv.Name} }

// home is where the JSON Schemas are identified to be; nothing is fetched.
const home = "https://rubric-ls.github.io/schema/"

// Files are the kinds of files of all versions, in the order of the reference.
func Files() []agentv.File { return slices.Concat(agentv.Files(), tables.Files()) }

// Schema is the JSON Schema of a kind of file.
func Schema(f agentv.File) schema.Document {
	return schema.Document{Name: f.Name, ID: home + f.Name + ".schema.json", Title: f.Title, Root: f.Type}
}

// Schemas are the JSON Schemas of all kinds of files, in the order of the
// reference.
func Schemas() []schema.Document {
	var all []schema.Document
	for _, f := range Files() {
		all = append(all, Schema(f))
	}
	return all
}
