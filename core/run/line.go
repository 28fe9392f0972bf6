package run

import (
	"bytes"
	"encoding/json"
)

// Line is the record as one line of JSON, with its times.
func (r Record) Line() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return out.Bytes(), err
}

// Untimed is the record without what differs from one run to the next although
// nothing else does.
func (r Record) Untimed() Record {
	r.Timestamp, r.DurationMS = "", nil
	return r
}

// UntimedLine is what [Record.Untimed] makes of a line that [Record.Line] made. The
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
