package api

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// reportParams are records of cases. Document is the open one that they are of, if any.
type reportParams struct {
	Document string       `json:"document,omitempty"`
	Name     string       `json:"name,omitempty"`
	Path     string       `json:"path,omitempty"`
	Records  []CaseRecord `json:"records"`
}

// ReportResult is the page that `rubric run --format html` writes, and what it counts.
// Stale are records of cases that the document does not have as they were.
type ReportResult struct {
	HTML   string        `json:"html"`
	Totals report.Totals `json:"totals"`
	Stale  int           `json:"stale"`
}

func writeReport(p reportParams) (ReportResult, error) {
	var records []run.Record
	page := report.Page{}
	for _, r := range p.Records {
		records = append(records, r.Record)
		if r.Judge == offline.Name {
			page.Notice = offline.Notice
		}
	}
	suite := report.Suite{Name: p.Name, Path: p.Path, Records: slices.Values(records)}
	page.Suites = []report.Suite{suite}
	result := ReportResult{Totals: report.CountTotals(suite.Records)}
	if p.Document != "" {
		d, err := fileParams{Document: p.Document}.findDocument()
		if err != nil {
			return ReportResult{}, err
		}
		for _, r := range p.Records {
			if c := d.Suite().Case(r.EvalID); !isMeasured(d.Analysis) && (c == nil || c.Fingerprint() != r.CaseFingerprint) {
				result.Stale++
			}
		}
	}
	var html strings.Builder
	if err := page.Write(&html); err != nil {
		return ReportResult{}, err
	}
	result.HTML = html.String()
	return result, nil
}
