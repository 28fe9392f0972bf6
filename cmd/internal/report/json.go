package report

import (
	"encoding/json"
	"io"

	shown "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// JSON writes the report as one object: totals, and the records by suite.
func (r Report) JSON(w io.Writer) error {
	type suite struct {
		Name      string          `json:"name"`
		Path      string          `json:"path"`
		Totals    shown.Totals    `json:"totals"`
		Agreement []run.Agreement `json:"agreement,omitempty"` // by criterion, of what was judged more than once
		Cases     []run.Record    `json:"cases"`
	}
	out := struct {
		Notice    string       `json:"notice,omitempty"`
		Threshold float64      `json:"threshold,omitempty"`
		Totals    shown.Totals `json:"totals"`
		Suites    []suite      `json:"suites"`
	}{r.Notice, r.Threshold, r.Totals(), []suite{}}
	for _, s := range r.Suites {
		out.Suites = append(out.Suites, suite{s.Name, s.Path, s.Totals(), run.AgreementOf(s.Records), append([]run.Record{}, s.Records...)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
