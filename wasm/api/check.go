package api

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/text"
)

// CheckResult is what is wrong with one file.
type CheckResult struct {
	Dialect     string       `json:"dialect"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a finding. Severity is error, warning, info or hint; Path is
// where in the document, as evalcases[0].id.
type Diagnostic struct {
	Code     string     `json:"code"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Range    text.Range `json:"range"`
	Path     string     `json:"path"`
	Related  []Related  `json:"related"`
	Fixes    []Fix      `json:"fixes"`
}

// Related is a second place; Path names its file if that is another one.
type Related struct {
	Path    string     `json:"path,omitempty"`
	Range   text.Range `json:"range"`
	Message string     `json:"message"`
}

// Fix is a set of edits that mends a finding; a safe one never changes what a
// correct file means.
type Fix struct {
	Title string     `json:"title"`
	Safe  bool       `json:"safe"`
	Edits []TextEdit `json:"edits"`
}

func check(p fileParams) (CheckResult, error) {
	a, err := p.analyse()
	if err != nil {
		return CheckResult{}, err
	}
	return NewCheckResult(a.Dialect(), a.Source(), a.Diagnostics()), nil
}

// NewCheckResult is findings of a file in the shape of the API.
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

func sourceEdits(src *text.Source, edits []text.Edit) []TextEdit {
	out := make([]TextEdit, 0, len(edits))
	for _, e := range edits {
		out = append(out, TextEdit{src.SpanRange(e.Span, text.UTF16), e.New})
	}
	return out
}

// VersionResult says which evaluator answers.
type VersionResult struct {
	Version  string   `json:"version"`
	ABI      int      `json:"abi"`
	Dialects []string `json:"dialects"`
	// SchemasWanted says that a JSON Schema of a user's was named, and that this
	// evaluator, which is not the larger one, does not apply it.
	SchemasWanted bool `json:"schemasWanted,omitempty"`
}

func version(struct{}) (VersionResult, error) {
	return VersionResult{Version: Version, ABI: ABI, Dialects: dialect.Names(), SchemasWanted: schemasWanted.Load()}, nil
}
