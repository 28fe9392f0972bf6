package report

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Report is what one call graded.
type Report struct {
	Suites      []Suite
	Notice      string // what has to stand beside every verdict; "" if nothing has
	Unreachable string // how many could not be reached, and why, for the text alone; "" if all were
	// Threshold is the score, 0 to 1, from which a case whose gates hold counts
	// as passing, whatever its verdict; 0 for the verdict alone.
	Threshold float64
}

// Passes reports whether a case counts as passing.
func (r Report) Passes(rec run.Record) bool {
	if r.Threshold <= 0 {
		return rec.Verdict == score.Pass
	}
	for _, gate := range rec.Gates {
		if !gate.Met {
			return false
		}
	}
	return rec.Error == "" && rec.Ungraded == 0 && rec.Score != nil && *rec.Score >= r.Threshold
}

// thresholdSummary names the cases that do not pass because of a threshold, or do in spite
// of their verdict, which no verdict tells.
func thresholdSummary(threshold float64, failing []string) string {
	if len(failing) == 0 {
		return fmt.Sprintf("with the threshold %s all cases pass", corereport.FormatScore(threshold))
	}
	return fmt.Sprintf("with the threshold %s these do not pass: %s", corereport.FormatScore(threshold), strings.Join(failing, ", "))
}

// Suite is one file's records, which are asked for several times.
type Suite struct {
	Name    string
	Path    string
	Records iter.Seq[run.Record]
	// Conversations visits those of an ADK evalset in the order of the records, by the
	// ids of its cases; nil for what was graded and not measured.
	Conversations func(visit func(id string, c metric.Conversation) bool) error
}

// Totals of one suite.
func (s Suite) Totals() corereport.Totals { return corereport.CountTotals(s.Records) }

// Totals of all suites.
func (r Report) Totals() (t corereport.Totals) {
	for _, s := range r.Suites {
		for rec := range s.Records {
			t.Add(rec)
		}
	}
	return t
}

// HTML writes the report as a page.
func (r Report) HTML(w io.Writer) error {
	page := corereport.Page{Notice: r.Notice}
	for _, s := range r.Suites {
		page.Suites = append(page.Suites, corereport.Suite{Name: s.Name, Path: s.Path, Records: readableRecords(s.Records)})
	}
	return page.Write(w)
}

// readableRecords are records as people are told of them.
func readableRecords(records iter.Seq[run.Record]) iter.Seq[run.Record] {
	return func(yield func(run.Record) bool) {
		for rec := range records {
			if !yield(rec.WithLabels()) {
				return
			}
		}
	}
}

// Formats are the ways to write a report, by name.
func Formats() map[string]func(Report, io.Writer) error {
	return map[string]func(Report, io.Writer) error{
		"json": Report.JSON, "jsonl": Report.JSONL, "junit": Report.JUnit, "html": Report.HTML, EvalsetResult: Report.EvalsetResult,
		"text": func(r Report, w io.Writer) error { return r.Text(w, Style{}) },
	}
}
