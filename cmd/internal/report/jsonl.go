package report

import (
	"encoding/json"
	"io"
)

// JSONL writes one record a line, all that is needed to score them again.
func (r Report) JSONL(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, s := range r.Suites {
		for _, rec := range s.Records {
			if err := enc.Encode(rec); err != nil {
				return err
			}
		}
	}
	return nil
}
