package run

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// WriteLine writes the record as one line of JSON, in a single Write. It writes nothing if the
// record holds a number that JSON cannot express.
func (r *Record) WriteLine(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// HasTimes reports whether the record holds a timestamp or a duration.
func (r *Record) HasTimes() bool { return r.Timestamp != "" || r.DurationMS != nil }

// WithoutTimes returns the record without its timestamp and duration.
func (r Record) WithoutTimes() Record {
	r.Timestamp, r.DurationMS = "", nil
	return r
}

// WithoutCacheFlags returns the record with no reply marked as cached. Two runs with equal
// judgements are then equal, whenever they were paid for.
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

// StripTimes does to a line of [Record.WriteLine] what [Record.WithoutTimes] does to a record. It
// does not decode the line, because the times are its first and last keys.
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

// endsWithNumber reports whether rest is a number followed by the closing brace of a line.
func endsWithNumber(rest []byte) bool {
	digits, ok := bytes.CutSuffix(bytes.TrimSpace(rest), []byte("}"))
	var f float64
	return ok && json.Unmarshal(digits, &f) == nil
}
