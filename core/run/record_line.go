package run

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// WriteLine writes the record, with its times, as one line of JSON in a single Write.
// It writes nothing if the record holds a number that JSON lacks.
func (r *Record) WriteLine(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// HasTimes reports whether the record tells of times.
func (r *Record) HasTimes() bool { return r.Timestamp != "" || r.DurationMS != nil }

// WithoutTimes is the record without its times.
func (r Record) WithoutTimes() Record {
	r.Timestamp, r.DurationMS = "", nil
	return r
}

// WithoutCacheFlags is the record without which answers had been there before: what was judged is the
// same, whenever it was paid for.
func (r Record) WithoutCacheFlags() Record {
	r.Graders = clearCacheFlags(r.Graders)
	return r
}

func clearCacheFlags(records []GraderRecord) []GraderRecord {
	records = slices.Clone(records)
	for i := range records {
		r := &records[i]
		r.Members = clearCacheFlags(r.Members)
		r.Replies = slices.Clone(r.Replies)
		for j := range r.Replies {
			r.Replies[j].Cached = false
		}
		if r.Metric != nil {
			r.Metric = r.Metric.WithoutCached()
		}
	}
	return records
}

// StripTimes is what [Record.Untimed] makes of a line that [Record.WriteLine] wrote. The
// times are its first and its last key, so that it need not be read for that.
func StripTimes(line []byte) []byte {
	const stamp, took = `{"timestamp":"`, `,"duration_ms":`
	if rest, ok := bytes.CutPrefix(line, []byte(stamp)); ok {
		if end := bytes.Index(rest, []byte(`",`)); end >= 0 {
			line = append([]byte("{"), rest[end+len(`",`):]...)
		}
	}
	if at := bytes.LastIndex(line, []byte(took)); at >= 0 && endsWithNumber(line[at+len(took):]) {
		line = append(line[:at:at], "}\n"...)
	}
	return line
}

// endsWithNumber reports whether a line ends with a number that is its last value.
func endsWithNumber(rest []byte) bool {
	digits, ok := bytes.CutSuffix(bytes.TrimSpace(rest), []byte("}"))
	var f float64
	return ok && json.Unmarshal(digits, &f) == nil
}
