package report

import "io"

// JSONL writes one record a line, all that is needed to score them again. No line
// holds a time, or which answers were there before: what is judged alike is the same
// file, which a repository keeps well. The other forms have them.
func (r Report) JSONL(w io.Writer) error { return r.writeStream(w, "jsonl", Style{}) }
