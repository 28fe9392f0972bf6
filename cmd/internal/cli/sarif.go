package cli

import (
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/wasm/api"
)

type object = map[string]any

var sarifLevel = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note", diag.Hint: "note"}

// reportSARIF writes a SARIF 2.1.0 log with one run.
func (s *session) reportSARIF(results []checkedFile) error {
	rules, index := []object{}, map[string]int{}
	for i, rule := range lint.All() {
		index[rule.ID] = i
		rules = append(rules, object{"id": rule.ID, "shortDescription": object{"text": rule.Summary},
			"help": object{"text": rule.Why, "markdown": rule.Why}, "defaultConfiguration": object{"level": sarifLevel[rule.Severity]}})
	}
	sarifResults := []object{}
	for _, r := range results {
		for _, d := range r.diagnostics {
			result := sarifResult(r, d)
			if i, known := index[d.Code]; known {
				result["ruleIndex"] = i
			}
			sarifResults = append(sarifResults, result)
		}
	}
	type run struct {
		ColumnKind string   `json:"columnKind"`
		Tool       object   `json:"tool"`
		Results    []object `json:"results"`
	}
	driver := object{"name": "rubric", "version": api.Version, "informationUri": "https://github.com/rubric-ls/rubric", "rules": rules}
	return writeJSON(s.stdout, struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{{"utf16CodeUnits", object{"driver": driver}, sarifResults}}})
}

func sarifResult(r checkedFile, d diag.Diagnostic) object {
	result := object{
		"ruleId": d.Code, "level": sarifLevel[d.Severity], "message": object{"text": d.Message},
		"locations": []object{{"physicalLocation": physicalLocation(r.path, r.source, d.Span)}},
	}
	var related []object
	for _, n := range d.Notes {
		path := r.path
		if n.Source != nil {
			path = n.Source.Name
		}
		related = append(related, object{"message": object{"text": n.Message}, "physicalLocation": physicalLocation(path, n.SourceOr(r.source), n.Span)})
	}
	if related != nil {
		result["relatedLocations"] = related
	}
	return result
}

func physicalLocation(path string, src *text.Source, span text.Span) object {
	rng := src.SpanRange(span, text.UTF16)
	return object{
		"artifactLocation": object{"uri": (&url.URL{Path: strings.ReplaceAll(path, `\`, "/")}).EscapedPath()},
		"region":           object{"startLine": rng.Start.Line + 1, "startColumn": rng.Start.Character + 1, "endLine": rng.End.Line + 1, "endColumn": rng.End.Character + 1},
	}
}
