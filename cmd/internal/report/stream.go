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
	threshold float64 // see [Report.Threshold]
	out       *bufio.Writer
	jsonl     bool
	painter

	suites       int
	suite, total corereport.Totals // of the current suite, and of all suites
	agreements   run.Agreements
	failing      []string
}

// Stream starts the report in a format for which [CanStream] is true. BeginSuite and
// WriteRecord add its content.
func (r Report) Stream(w io.Writer, format string, style Style) *Stream {
	return &Stream{threshold: r.Threshold, out: bufio.NewWriter(w), jsonl: format == "jsonl", painter: painter{style}}
}

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

// WriteRecord writes a record.
func (s *Stream) WriteRecord(rec run.Record) error {
	if s.jsonl {
		stored := rec.Stored()
		if err := stored.WriteLine(s.out); err != nil {
			return err
		}
		return s.out.Flush()
	}
	if s.suite.Cases == 0 {
		fmt.Fprintln(s.out, s.paint(dim, s.truncate(fmt.Sprintf("target %s, judge %s, profile %s",
			cmp.Or(rec.Target, "none"), cmp.Or(rec.Judge, "none"), cmp.Or(rec.Profile, "none")), 0)))
	}
	s.suite.Add(rec)
	s.total.Add(rec)
	s.agreements.Add(rec)
	if s.threshold > 0 && !rec.Passes(s.threshold) {
		s.failing = append(s.failing, Printable(rec.EvalID))
	}
	fmt.Fprintln(s.out)
	s.drawRecord(s.out, rec.WithLabels())
	return s.out.Flush()
}

// endSuite writes the summary of the current suite.
func (s *Stream) endSuite() {
	if s.suites > 0 && !s.jsonl {
		s.drawAgreement(s.out, s.agreements.List())
		fmt.Fprintf(s.out, "\n%s\n", s.suite)
	}
	s.suite, s.agreements = corereport.Totals{}, run.Agreements{}
}

// Close writes the summary of all suites, with [Report.Unreachable] and [Report.Notice].
func (s *Stream) Close(unreachable, notice string) error {
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
	if s.threshold > 0 {
		fmt.Fprintf(s.out, "\n%s\n", thresholdSummary(s.threshold, s.failing))
	}
	if unreachable != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(red, "error:"), Printable(unreachable))
	}
	if notice != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(yellow, "note:"), Printable(notice))
	}
	return s.out.Flush()
}
