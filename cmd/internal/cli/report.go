package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/wasm/api"
)

// reports by the name of their format.
var reports = map[string]func(*session, []checked) error{
	"text":   (*session).reportText,
	"json":   (*session).reportJSON,
	"sarif":  (*session).reportSARIF,
	"github": (*session).reportGitHub,
}

// reportText draws every finding and sums up.
func (s *session) reportText(results []checked) error {
	out := bufio.NewWriter(s.stdout)
	render := diag.Renderer{Color: s.colored(s.stdout)}
	counts := map[diag.Severity]int{}
	for _, r := range results {
		for _, d := range r.found {
			counts[d.Severity]++
			if err := render.Render(out, r.analysis.Source(), d); err != nil {
				return err
			}
			fmt.Fprintln(out)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(results) == 0 {
		return nil // why, has been said
	}
	_, err := fmt.Fprintf(s.stderr, "%s in %s\n", countWords(counts), plural(len(results), "file"))
	return err
}

func countWords(counts map[diag.Severity]int) string {
	var parts []string
	for _, sev := range []diag.Severity{diag.Error, diag.Warning, diag.Info, diag.Hint} {
		if n := counts[sev]; n > 0 {
			name := sev.String()
			if sev == diag.Info {
				name = "remark"
			}
			parts = append(parts, plural(n, name))
		}
	}
	if len(parts) == 0 {
		return "nothing to report"
	}
	return strings.Join(parts, ", ")
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// reportJSON writes {files:[{path, dialect, diagnostics:[…]}]}, the diagnostics
// in the evaluator API's shape.
func (s *session) reportJSON(results []checked) error {
	type file struct {
		Path string `json:"path"`
		api.CheckResult
	}
	report := struct {
		Files []file `json:"files"`
	}{Files: []file{}}
	for _, r := range results {
		report.Files = append(report.Files, file{r.path, api.Checked(r.analysis, r.found)})
	}
	return writeJSON(s.stdout, report)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// reportGitHub writes workflow commands, which GitHub shows beside the lines.
func (s *session) reportGitHub(results []checked) error {
	level := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice", diag.Hint: "notice"}
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	out := bufio.NewWriter(s.stdout)
	for _, r := range results {
		for _, d := range r.found {
			at := r.analysis.Source().SpanRange(d.Span, text.UTF16)
			fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,endLine=%d,endColumn=%d,title=%s::%s\n", level[d.Severity],
				property.Replace(r.path), at.Start.Line+1, at.Start.Character+1, at.End.Line+1, at.End.Character+1, d.Code, message.Replace(d.Message))
		}
	}
	return out.Flush()
}

// reportSARIF writes a SARIF 2.1.0 log with one run.
func (s *session) reportSARIF(results []checked) error {
	type object = map[string]any
	level := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note", diag.Hint: "note"}
	rules, index := []object{}, map[string]int{}
	for i, rule := range lint.All() {
		index[rule.ID] = i
		rules = append(rules, object{"id": rule.ID, "shortDescription": object{"text": rule.Summary},
			"help": object{"text": rule.Why, "markdown": rule.Why}, "defaultConfiguration": object{"level": level[rule.Severity]}})
	}
	found := []object{}
	for _, r := range results {
		for _, d := range r.found {
			at := r.analysis.Source().SpanRange(d.Span, text.UTF16)
			found = append(found, object{
				"ruleId": d.Code, "ruleIndex": index[d.Code], "level": level[d.Severity], "message": object{"text": d.Message},
				"locations": []object{{"physicalLocation": object{
					"artifactLocation": object{"uri": (&url.URL{Path: strings.ReplaceAll(r.path, `\`, "/")}).EscapedPath()},
					"region":           object{"startLine": at.Start.Line + 1, "startColumn": at.Start.Character + 1, "endLine": at.End.Line + 1, "endColumn": at.End.Character + 1},
				}}},
			})
		}
	}
	return writeJSON(s.stdout, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": "rubric", "version": api.Version, "informationUri": "https://github.com/rubric-ls/rubric", "rules": rules}},
			"columnKind": "utf16CodeUnits", "results": found,
		}},
	})
}
