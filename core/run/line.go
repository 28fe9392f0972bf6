package run

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/rubric-ls/rubric/core/quickjson"
)

// WriteLine writes the record as one line of JSON, with its times, at once or, if
// it is none that JSON has, not at all.
func (r *Record) WriteLine(w io.Writer) error {
	return quickjson.Write(w, r, false, "\n")
}

// Timed reports whether the record tells of times.
func (r *Record) Timed() bool { return r.Timestamp != "" || r.DurationMS != nil }

// Untimed is the record without what differs from one run to the next although
// nothing else does.
func (r Record) Untimed() Record {
	r.Timestamp, r.DurationMS = "", nil
	return r
}

// UntimedLine is what [Record.Untimed] makes of a line that [Record.WriteLine] wrote. The
// times are its first and its last key, so that it need not be read for that.
func UntimedLine(line []byte) []byte {
	const stamp, took = `{"timestamp":"`, `,"duration_ms":`
	if rest, ok := bytes.CutPrefix(line, []byte(stamp)); ok {
		if end := bytes.Index(rest, []byte(`",`)); end >= 0 {
			line = append([]byte("{"), rest[end+len(`",`):]...)
		}
	}
	if at := bytes.LastIndex(line, []byte(took)); at >= 0 && number(line[at+len(took):]) {
		line = append(line[:at:at], "}\n"...)
	}
	return line
}

// number reports whether a line ends with a number that is its last value.
func number(rest []byte) bool {
	digits, ok := bytes.CutSuffix(bytes.TrimSpace(rest), []byte("}"))
	var f float64
	return ok && json.Unmarshal(digits, &f) == nil
}
