package api

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/lint"
)

// Rule is a lint rule with an example that it reports (Bad) and one that it does not (Good). Each
// is a file at Path, next to the files in Files.
type Rule struct {
	ID       string            `json:"id"`
	Severity string            `json:"severity"`
	Summary  string            `json:"summary"`
	Bad      string            `json:"bad"`
	Good     string            `json:"good"`
	Path     string            `json:"path"`
	Files    map[string]string `json:"beside,omitempty"`
}

func toRule(r *lint.Rule) Rule {
	bad, _ := lint.ParseMarkers(r.Bad)
	return Rule{
		ID: r.ID, Severity: r.DefaultSeverity(), Summary: r.Summary,
		Bad: bad, Good: r.Good, Path: analysis.RuleExample(r, "").Path, Files: r.SiblingFiles,
	}
}

func rules(struct{}) ([]Rule, error) {
	all := []Rule{}
	for _, r := range lint.All() {
		all = append(all, toRule(r))
	}
	return all, nil
}

// explainParams name a rule.
type explainParams struct {
	Rule string `json:"rule"`
}

// RulePage is a rule with its page in Markdown, which includes the diagnostics of the example.
type RulePage struct {
	Rule
	Page string `json:"page"`
}

func explain(p explainParams) (RulePage, error) {
	if r := lint.Find(p.Rule); r != nil {
		return RulePage{toRule(r), analysis.RulePage(r, false)}, nil
	}
	var ids []string
	for _, r := range lint.All() {
		ids = append(ids, r.ID)
	}
	return RulePage{}, unknownName("rule", "rule", p.Rule, ids, "`rules` lists them")
}

// schemaParams name a kind of file, as `rubric schema` does.
type schemaParams struct {
	Name string `json:"name"`
}

// SchemaResult is the JSON Schema (draft-07) of a kind of file.
type SchemaResult struct {
	Schema json.RawMessage `json:"schema"`
}

func fileSchema(p schemaParams) (SchemaResult, error) {
	var names []string
	for _, doc := range dialect.Schemas() {
		if doc.Name == p.Name {
			return SchemaResult{doc.JSON()}, nil
		}
		names = append(names, doc.Name)
	}
	return SchemaResult{}, unknownName("name", "kind of file", p.Name, names, listNames(names))
}
