package report

import (
	"encoding/json"
	"io"
)

// JSONL writes one record a line, all that is needed to score them again. No line
// holds a time: what is judged alike is the same file, which a repository keeps
// well. The other forms have them.
func (r Report) JSONL(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, s := range r.Suites {
		for _, rec := range s.Records {
			rec.Timestamp, rec.DurationMS = "", nil
			if err := enc.Encode(rec); err != nil {
				return err
			}
		}
	}
	return nil
}
