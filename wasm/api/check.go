package api

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// CheckResult holds the diagnostics of one file.
type CheckResult struct {
	Dialect     string       `json:"dialect"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a finding. Severity is error, warning, info or hint. Path is the place in the
// document, as evalcases[0].id.
type Diagnostic struct {
	Code     string     `json:"code"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Range    text.Range `json:"range"`
	Path     string     `json:"path"`
	Related  []Related  `json:"related"`
	Fixes    []Fix      `json:"fixes"`
}

// Related is a second location. Path names its file if it is another one.
type Related struct {
	Path    string     `json:"path,omitempty"`
	Range   text.Range `json:"range"`
	Message string     `json:"message"`
}

// Fix is a set of edits that fixes a finding. A safe fix never changes the meaning of a correct
// file.
type Fix struct {
	Title string         `json:"title"`
	Safe  bool           `json:"safe"`
	Edits []ide.TextEdit `json:"edits"`
}

// NewCheckResult converts the findings in a file.
func NewCheckResult(dialect string, src *text.Source, diagnostics []diag.Diagnostic) CheckResult {
	result := CheckResult{Dialect: dialect, Diagnostics: make([]Diagnostic, 0, len(diagnostics))}
	for _, d := range diagnostics {
		result.Diagnostics = append(result.Diagnostics, toDiagnostic(src, d))
	}
	return result
}

func toDiagnostic(src *text.Source, d diag.Diagnostic) Diagnostic {
	out := Diagnostic{
		Code: d.Code, Severity: d.Severity.String(), Message: d.Message, Path: d.Path,
		Range: src.SpanRange(d.Span, text.UTF16), Related: []Related{}, Fixes: []Fix{},
	}
	for _, n := range d.Notes {
		related := Related{Range: n.SourceOr(src).SpanRange(n.Span, text.UTF16), Message: n.Message}
		if n.Source != nil {
			related.Path = n.Source.Name
		}
		out.Related = append(out.Related, related)
	}
	for _, f := range d.Fixes {
		out.Fixes = append(out.Fixes, Fix{f.Title, f.Safe, sourceEdits(src, f.Edits)})
	}
	return out
}

func sourceEdits(src *text.Source, edits []text.Edit) []ide.TextEdit {
	out := make([]ide.TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, ide.TextEdit{Range: src.SpanRange(e.Span, text.UTF16), NewText: e.New})
	}
	return out
}

// VersionResult identifies the evaluator.
type VersionResult struct {
	Version  string   `json:"version"`
	ABI      int      `json:"abi"`
	Dialects []string `json:"dialects"`
	// WholeWanted names what open files need of rubric.wasm, such as JSON Schemas, if this is
	// rubric-small.wasm.
	WholeWanted string      `json:"wholeWanted,omitempty"`
	Options     []RunOption `json:"options"` // of runs in a page
}

// RunOption describes an option of runs: a parameter of `run`, or the number of questions at a time.
type RunOption struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"` // of JSON
	Default     any      `json:"default"`
	Min         float64  `json:"min,omitempty"`
	Max         float64  `json:"max,omitempty"` // 0 means no limit
	Values      []string `json:"values,omitempty"`
	Description string   `json:"description"` // in Markdown
}

func version(struct{}) (VersionResult, error) {
	result := VersionResult{Version: Version, ABI: ABI, Dialects: dialect.Names(), WholeWanted: wholeWanted}
	for _, o := range run.Options(run.Page) {
		result.Options = append(result.Options, RunOption{o.Name, o.Type(), o.Default(), o.Min, o.Max, o.Values, o.Description(run.Page)})
	}
	return result, nil
}

// diagnose returns the diagnostics that a language server publishes. If there are too many, these are
// the most severe.
func diagnose(d document, _ fileParams) ([]ide.Finding, error) {
	list, _ := diagnostic.List(d.file(&ide.Browser), text.Span{}, nil, 0, 0)
	return list, nil
}

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
	return RulePage{}, unknownName("rule", "rule", p.Rule, lint.RuleIDs(), "`rules` lists them")
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
