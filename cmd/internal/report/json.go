package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"strings"

	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// JSON writes the report as one object: totals, and the records by suite.
func (r Report) JSON(w io.Writer) error {
	type suite struct {
		Name      string            `json:"name"`
		Path      string            `json:"path"`
		Totals    corereport.Totals `json:"totals"`
		Agreement []run.Agreement   `json:"agreement,omitempty"` // by criterion, of what was judged more than once
		Cases     struct{}          `json:"cases"`               // in whose place the records are written
	}
	envelope := struct {
		Notice    string            `json:"notice,omitempty"`
		Threshold float64           `json:"threshold,omitempty"`
		Totals    corereport.Totals `json:"totals"`
		Suites    []suite           `json:"suites"`
	}{r.Notice, r.Threshold, r.Totals(), []suite{}}
	for _, s := range r.Suites {
		envelope.Suites = append(envelope.Suites, suite{Name: s.Name, Path: s.Path, Totals: s.Totals(), Agreement: run.AgreementOf(s.Records)})
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(envelope); err != nil {
		return err
	}
	const cases = `"cases": `
	out := bufio.NewWriter(w) // whose error comes back at its Flush
	for i, part := range strings.Split(text.String(), cases+"{}") {
		if i > 0 {
			out.WriteString(cases)
			if err := writeCases(out, r.Suites[i-1].Records); err != nil {
				return err
			}
		}
		out.WriteString(part)
	}
	return out.Flush()
}

// writeCases writes records as a list, one at a time: ten thousand of them need not be
// in memory. Errors of out come back at its Flush.
func writeCases(out *bufio.Writer, records iter.Seq[run.Record]) error {
	const indent = "        "
	var item bytes.Buffer
	enc := json.NewEncoder(&item)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	separator, end := "[\n", "[]"
	for rec := range records {
		item.Reset()
		if err := enc.Encode(rec); err != nil {
			return err
		}
		out.WriteString(separator + indent)
		out.Write(bytes.TrimSuffix(item.Bytes(), []byte("\n")))
		separator, end = ",\n", "\n      ]"
	}
	out.WriteString(end)
	return nil
}
