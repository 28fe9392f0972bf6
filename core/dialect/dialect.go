// Package dialect lists the file formats that are understood, and their JSON
// Schemas. What a format is, its own package says.
package dialect

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// Names are the dialects, as results name them.
func Names() []string { return []string{agentv.Name} }

// home is where the JSON Schemas are identified to be; nothing is fetched.
const home = "https://rubric-ls.github.io/schema/"

// Schemas are the JSON Schemas of all kinds of files, in the order of the
// reference.
func Schemas() []schema.Document {
	var all []schema.Document
	for _, f := range agentv.Files() {
		all = append(all, schema.Document{Name: f.Name, ID: home + f.Name + ".schema.json", Title: f.Title, Root: f.Type})
	}
	return all
}
