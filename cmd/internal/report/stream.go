package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// A Stream writes a report record by record, as text or as JSON lines.
type Stream struct {
	report Report // has no suites
	out    *bufio.Writer
	jsonl  bool
	painter

	suites       int
	suite, total corereport.Totals // of the current suite, and of all suites
	agreements   run.Agreements
	failing      []string
}

// Stream starts the report in a format for which [CanStream] is true. BeginSuite and
// WriteRecord add its content.
func (r Report) Stream(w io.Writer, format string, style Style) *Stream {
	return &Stream{report: r, out: bufio.NewWriterSize(w, bufferSize), jsonl: format == "jsonl", painter: painter{style}}
}

// bufferSize is the size of the output buffer in bytes. It equals the journal's buffer,
// which is flushed first.
const bufferSize = 32 << 10

// CanStream reports whether a format can be written record by record.
func CanStream(format string) bool { return format == "text" || format == "jsonl" }

// BeginSuite ends the previous suite and starts a new one.
func (s *Stream) BeginSuite(name, path string) {
	s.endSuite()
	s.suites++
	if s.jsonl {
		return
	}
	if s.suites > 1 {
		fmt.Fprintln(s.out)
	}
	fmt.Fprintln(s.out, s.paint(bold, s.truncate(cmp.Or(path, name), 0)))
}

// WriteRecord adds a record; [Stream.Flush] writes it.
func (s *Stream) WriteRecord(rec run.Record) error {
	if s.jsonl {
		return writeRecordLine(s.out, rec)
	}
	if s.suite.Cases == 0 {
		fmt.Fprintln(s.out, s.paint(dim, s.truncate(fmt.Sprintf("target %s, judge %s, profile %s",
			cmp.Or(rec.Target, "none"), cmp.Or(rec.Judge, "none"), cmp.Or(rec.Profile, "none")), 0)))
	}
	s.suite.Add(rec)
	s.total.Add(rec)
	s.agreements.Add(rec)
	if s.report.Threshold > 0 && !rec.Passes(s.report.Threshold) {
		s.failing = append(s.failing, Printable(rec.EvalID))
	}
	fmt.Fprintln(s.out)
	s.drawRecord(s.out, rec.WithLabels())
	return nil
}

// Flush writes buffered text.
func (s *Stream) Flush() error { return s.out.Flush() }

// SetNotice sets the notice at the end of the report.
func (s *Stream) SetNotice(message string) { s.report.Notice = message }

// SetUnreachable sets the note about unreachable judges and targets at the end of the
// report.
func (s *Stream) SetUnreachable(message string) { s.report.Unreachable = message }

// endSuite writes the summary of the current suite.
func (s *Stream) endSuite() {
	if s.suites > 0 && !s.jsonl {
		s.drawAgreement(s.out, s.agreements.List())
		fmt.Fprintf(s.out, "\n%s\n", s.suite)
	}
	s.suite, s.agreements = corereport.Totals{}, run.Agreements{}
}

// Close writes the summary of all suites.
func (s *Stream) Close() error {
	s.endSuite()
	if s.jsonl {
		return s.out.Flush()
	}
	if s.suites != 1 {
		fmt.Fprintf(s.out, "\nall: %s\n", s.total)
	}
	for _, line := range s.total.UsageLines() {
		fmt.Fprintln(s.out, s.truncate(line, 0))
	}
	if s.report.Threshold > 0 {
		fmt.Fprintf(s.out, "\n%s\n", thresholdSummary(s.report.Threshold, s.failing))
	}
	if s.report.Unreachable != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(red, "error:"), Printable(s.report.Unreachable))
	}
	if s.report.Notice != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(yellow, "note:"), Printable(s.report.Notice))
	}
	return s.out.Flush()
}

// writeRecordLine writes a record as one line of JSON, without values that differ between
// equal runs.
func writeRecordLine(w io.Writer, rec run.Record) error {
	rec = rec.WithoutTimes().WithoutCacheFlags()
	return rec.WriteLine(w)
}
