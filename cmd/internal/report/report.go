// Package report writes the results of a run: as text, as JSON lines that can be scored
// again, as JSON, as JUnit XML for build servers, as an ADK result file, and as a
// self-contained HTML page.
//
// Each format is a function of the same records and a writer. The package opens no
// files.
package report

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// A Report holds the records of one call.
type Report struct {
	Suites      []Suite
	Notice      string // shown with every verdict; may be ""
	Unreachable string // describes unreachable judges and targets, for text output; may be ""
	// Threshold is the lowest passing score, 0 to 1, of cases whose gates hold. It
	// replaces the verdict; 0 means that the verdict counts.
	Threshold float64
	LeftOut   []corereport.LeftOut // because of errors
	Minimums  []run.MinimumResult  // that the run had to reach
	Matrix    *corereport.Matrix   // of several targets; nil for one
	Live      *corereport.Live     // of the HTML page of a server
	Run       string               // file and date of a stored run, for its HTML page; may be ""
}

// A Suite holds one file's records.
type Suite struct {
	Name    string
	Path    string
	Records []run.Record
	Lines   map[string]int // where the cases begin, if that is known; by id, from 1
	Derived []rubric.DerivedMetric
	// Conversations are those of an ADK evalset with their case ids, in the order of the
	// records. It is nil for graded suites.
	Conversations iter.Seq2[string, metric.Conversation]
	Criteria      []metric.Criterion // what measured the conversations
}

// Totals returns the totals of the suite.
func (s Suite) Totals() corereport.Totals { return corereport.CountTotals(s.Records) }

// Records returns the records of all suites.
func (r Report) Records() (all []run.Record) {
	for _, s := range r.Suites {
		all = append(all, s.Records...)
	}
	return all
}

// Totals returns the totals of all suites.
func (r Report) Totals() corereport.Totals { return corereport.CountTotals(r.Records()) }

// HTML writes the report as a page.
func (r Report) HTML(w io.Writer) error {
	page := corereport.Page{Run: r.Run, Notice: r.Notice, LeftOut: r.LeftOut, Minimums: r.Minimums, Matrix: r.Matrix, Live: r.Live}
	for _, s := range r.Suites {
		page.Suites = append(page.Suites, corereport.Suite{Name: s.Name, Path: s.Path, Records: generic.Map(r.Judged(s.Records), run.Record.WithLabels)})
	}
	return page.Write(w)
}

// Formats returns the functions that write a report, by format name.
func Formats() map[string]func(Report, io.Writer) error {
	all := map[string]func(Report, io.Writer) error{
		"json": Report.JSON, "jsonl": Report.JSONL, "junit": Report.JUnit, "html": Report.HTML, EvalsetResult: Report.EvalsetResult,
		"text": func(r Report, w io.Writer) error { return r.Text(w, Style{}) },
	}
	for _, format := range []string{"markdown", "github"} { // JUnit has more of a run than its summary
		all[format] = func(r Report, w io.Writer) error { return SummaryFormats()[format](r.Summary(), w) }
	}
	for _, format := range run.Formats() {
		all[format.Name] = func(r Report, w io.Writer) error {
			name := ""
			if len(r.Suites) == 1 {
				name = r.Suites[0].Name
			}
			var derived []rubric.DerivedMetric
			for _, s := range r.Suites {
				derived = generic.AppendNew(derived, s.Derived...) // a file has a suite for each target
			}
			return format.Write(w, name, r.Records(), derived)
		}
	}
	return all
}

// Results is a report in JSON.
type Results struct {
	Notice    string               `json:"notice,omitempty"`
	LeftOut   []corereport.LeftOut `json:"left_out,omitempty"` // with --ignore-errors
	Threshold float64              `json:"threshold,omitempty"`
	Minimums  []run.MinimumResult  `json:"minimums,omitempty"`
	Totals    corereport.Totals    `json:"totals"`
	Matrix    *corereport.Matrix   `json:"matrix,omitempty"` // of several targets
	Suites    []SuiteResults       `json:"suites"`
}

// SuiteResults is a suite in JSON.
type SuiteResults struct {
	Name      string            `json:"name"`
	Path      string            `json:"path"`
	Totals    corereport.Totals `json:"totals"`
	Agreement []run.Agreement   `json:"agreement,omitempty"` // by criterion with several samples
	Cases     []run.Record      `json:"cases"`
}

// JSON writes the report as one object: totals, and the records by suite.
func (r Report) JSON(w io.Writer) error {
	results := Results{r.Notice, r.LeftOut, r.Threshold, r.Minimums, r.Totals(), r.Matrix, []SuiteResults{}}
	for _, s := range r.Suites {
		cases := append([]run.Record{}, s.Records...)
		results.Suites = append(results.Suites, SuiteResults{s.Name, s.Path, s.Totals(), run.AgreementOf(s.Records), cases})
	}
	return WriteJSON(w, results)
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, value any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// JSONL writes one record per line, with all that is needed to score it again. Lines
// contain no times and no notes about reused answers, so that equal judgements give equal
// files.
func (r Report) JSONL(w io.Writer) error {
	for _, rec := range r.Records() {
		if err := rec.Stored().WriteLine(w); err != nil {
			return err
		}
	}
	return nil
}
