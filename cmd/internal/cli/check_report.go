package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/wasm/api"
)

// checkReporters maps a format to its report.
var checkReporters = map[string]func(*session, []checkedFile) error{
	"text":   (*session).reportText,
	"json":   (*session).reportJSON,
	"sarif":  (*session).reportSARIF,
	"github": (*session).reportGitHub,
}

// reportText prints every diagnostic, and a summary.
func (s *session) reportText(results []checkedFile) error {
	out := bufio.NewWriter(s.stdout)
	render := s.renderer(s.stdout)
	fixable := [2]int{}
	counts, emptySummary, inBaseline := map[diag.Severity]int{}, "nothing to report", 0
	for _, r := range results {
		if r.hiddenCount > 0 {
			emptySummary = "no errors"
		}
		fixable[0] += r.fixable[0]
		fixable[1] += r.fixable[1]
		inBaseline += r.baselineCount
		for _, d := range r.diagnostics {
			counts[d.Severity]++
			if err := render.Render(out, r.source, d); err != nil {
				return err
			}
			fmt.Fprintln(out)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(results) == 0 {
		return nil // the reason was printed already
	}
	summary := fmt.Sprintf("%s in %s", cmp.Or(formatCounts(counts), emptySummary), diag.CountNoun(len(results), "file"))
	if inBaseline > 0 {
		summary += fmt.Sprintf("; %d in the baseline", inBaseline)
	}
	if fixable[0] > 0 {
		summary += fmt.Sprintf("; --fix fixes %d", fixable[0])
	}
	if fixable[1] > fixable[0] {
		summary += fmt.Sprintf("; --unsafe-fixes can fix %d", fixable[1])
	}
	_, err := fmt.Fprintln(s.stderr, summary)
	return err
}

func formatCounts(counts map[diag.Severity]int) string {
	var parts []string
	for _, sev := range []diag.Severity{diag.Error, diag.Warning, diag.Info, diag.Hint} {
		if n := counts[sev]; n > 0 {
			if sev == diag.Info { // without a plural
				parts = append(parts, fmt.Sprintf("%d info", n))
			} else {
				parts = append(parts, diag.CountNoun(n, sev.String()))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// reportJSON writes {files:[{path, dialect, diagnostics:[…]}]}, with diagnostics in the
// shape of the evaluator API.
func (s *session) reportJSON(results []checkedFile) error {
	type file struct {
		Path        string           `json:"path"`
		Dialect     string           `json:"dialect"`
		Diagnostics []api.Diagnostic `json:"diagnostics"`
	}
	files := make([]file, 0, len(results))
	for _, r := range results {
		files = append(files, file{r.path, r.dialect, api.NewCheckResult(r.dialect, r.source, r.diagnostics).Diagnostics})
	}
	return report.WriteJSON(s.stdout, map[string][]file{"files": files})
}

// reportGitHub writes workflow commands, which GitHub shows next to the lines.
func (s *session) reportGitHub(results []checkedFile) error {
	level := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice", diag.Hint: "notice"}
	out := bufio.NewWriter(s.stdout)
	for _, r := range results {
		for _, d := range r.diagnostics {
			rng := r.source.SpanRange(d.Span, text.UTF16)
			fullMessage := d.Message
			for _, n := range d.Notes {
				fullMessage += "\n" + diag.FormatPosition(n.SourceOr(r.source), n.Span) + ": " + n.Message
			}
			fmt.Fprint(out, report.Annotation{Level: level[d.Severity], File: r.path, Title: d.Code, Message: fullMessage,
				Places: fmt.Sprintf("line=%d,col=%d,endLine=%d,endColumn=%d", rng.Start.Line+1, rng.Start.Character+1, rng.End.Line+1, rng.End.Character+1)})
		}
	}
	return out.Flush()
}

type object = map[string]any

var sarifLevel = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note", diag.Hint: "note"}

// reportSARIF writes a SARIF 2.1.0 log with one run.
func (s *session) reportSARIF(results []checkedFile) error {
	rules, index := []object{}, map[string]int{}
	for i, rule := range lint.All() {
		index[rule.ID] = i
		rules = append(rules, object{"id": rule.ID, "helpUri": lint.PageURL(rule.ID), "shortDescription": object{"text": rule.Summary},
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
	return report.WriteJSON(s.stdout, struct {
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
