package main

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

const catalogPath = "editors/recipes/schemastore/catalog.json"

// A catalogEntry is an entry of SchemaStore's catalogue.
type catalogEntry struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	FileMatch   []string          `json:"fileMatch"`
	URL         string            `json:"url"`
	Versions    map[string]string `json:"versions,omitempty"`
}

// catalogFiles are the formats whose files a name identifies, with the schemas of their versions.
// Names that other tools use too, such as test_config.json, are not in a catalogue for everyone.
var catalogFiles = []struct {
	schema    string
	fileMatch []string
	versions  map[string]string // schema names by version
}{
	{"agentv-stable", []string{"*.eval.yaml", "*.eval.yml"}, map[string]string{"2.5.8": "agentv", "4.42.4": "agentv-stable", "5.3.1-next.1": "agentv-head"}},
	{"agentv-targets", []string{"**/.agentv/targets.yaml", "**/.agentv/targets.yml"}, nil},
	{"agentv-config", []string{"**/.agentv/config.yaml", "**/.agentv/config.yml"}, map[string]string{"2.5.8": "agentv-config", "5.3.1-next.1": "agentv-head-config"}},
	{"agentv-head-providers", []string{"**/.agentv/providers.yaml", "**/.agentv/providers.yml"}, nil},
	{"agentv-labels", []string{"*.labels.yaml", "*.labels.yml"}, nil},
	{"rubric-settings", []string{agentv.SettingsName}, nil},
	{"adk-evalset", []string{"*.evalset.json"}, nil},
	{"adk-results", []string{"*.evalset_result.json"}, nil},
}

// catalog returns the entries for SchemaStore's catalogue.
func catalog() ([]byte, error) {
	all := dialect.Schemas()
	find := func(name string) schema.Document {
		return all[slices.IndexFunc(all, func(d schema.Document) bool { return d.Name == name })]
	}
	var entries []catalogEntry
	for _, f := range catalogFiles {
		doc := find(f.schema)
		e := catalogEntry{Name: doc.Title, Description: cmp.Or(doc.Root.Doc, doc.Title), FileMatch: f.fileMatch, URL: doc.ID}
		for version, name := range f.versions {
			if e.Versions == nil {
				e.Versions = map[string]string{}
			}
			e.Versions[version] = find(name).ID
		}
		entries = append(entries, e)
	}
	text, err := json.MarshalIndent(entries, "", "  ")
	return append(text, '\n'), err
}
