package report

import (
	"encoding/json"
	"io"

	"github.com/rubric-ls/rubric/core/run"
)

// JSONL writes one record a line, all that is needed to score them again.
func (r Report) JSONL(w io.Writer) error {
	for _, s := range r.Suites {
		for _, rec := range s.Records {
			if err := Line(w, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// Line writes one record as a line of JSONL.
func Line(w io.Writer, rec run.Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(rec)
}

// JSON writes the report as one object: totals, and the records by suite.
func (r Report) JSON(w io.Writer) error {
	type suite struct {
		Name   string       `json:"name"`
		Path   string       `json:"path"`
		Totals Totals       `json:"totals"`
		Cases  []run.Record `json:"cases"`
	}
	out := struct {
		Notice string  `json:"notice,omitempty"`
		Totals Totals  `json:"totals"`
		Suites []suite `json:"suites"`
	}{r.Notice, r.Totals(), []suite{}}
	for _, s := range r.Suites {
		out.Suites = append(out.Suites, suite{s.Name, s.Path, s.Totals(), append([]run.Record{}, s.Records...)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
