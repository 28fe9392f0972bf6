package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	shown "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// Stream is a report that is written while its records come, none of which it
// keeps: the table for people, or JSON lines.
type Stream struct {
	of    Report // without suites
	out   *bufio.Writer
	lines bool
	painter

	suites       int
	suite, total shown.Totals // of the last suite, and of all
	agreed       run.Agreements
	short        []string
}

// Stream begins the report in a format that [Streams]. Its suites are told by the
// stream's own methods.
func (r Report) Stream(w io.Writer, format string, style Style) *Stream {
	return &Stream{of: r, out: bufio.NewWriterSize(w, mostAtOnce), lines: format == "jsonl", painter: painter{style}}
}

// mostAtOnce is how many bytes are written together: as many as of the journal, which is
// written first.
const mostAtOnce = 32 << 10

// Streams reports whether a format can be written while records come.
func Streams(format string) bool { return format == "text" || format == "jsonl" }

// Suite begins a suite, and ends the one before.
func (s *Stream) Suite(name, path string) {
	s.endSuite()
	s.suites++
	if s.lines {
		return
	}
	if s.suites > 1 {
		fmt.Fprintln(s.out)
	}
	fmt.Fprintln(s.out, s.paint(bold, s.cut(cmp.Or(path, name), 0)))
}

// Case tells of a record, which [Stream.Flush] writes.
func (s *Stream) Case(rec run.Record) error {
	if s.lines {
		return writeLine(s.out, rec)
	}
	if s.suite.Cases == 0 {
		fmt.Fprintln(s.out, s.paint(dim, s.cut(fmt.Sprintf("target %s, judge %s, profile %s",
			cmp.Or(rec.Target, "none"), cmp.Or(rec.Judge, "none"), cmp.Or(rec.Profile, "none")), 0)))
	}
	s.suite.Add(rec)
	s.total.Add(rec)
	s.agreed.Add(rec)
	if s.of.Threshold > 0 && !s.of.Passes(rec) {
		s.short = append(s.short, Printable(rec.EvalID))
	}
	fmt.Fprintln(s.out)
	s.record(s.out, rec.Told())
	return nil
}

// Flush writes what was told.
func (s *Stream) Flush() error { return s.out.Flush() }

// Notice has something said in the end.
func (s *Stream) Notice(words string) { s.of.Notice = words }

// Away has it said in the end who could not be reached, if anybody could not.
func (s *Stream) Away(words string) { s.of.Away = words }

// endSuite sums up the suite that was begun.
func (s *Stream) endSuite() {
	if s.suites > 0 && !s.lines {
		s.agreement(s.out, s.agreed.List())
		fmt.Fprintf(s.out, "\n%s\n", s.suite)
	}
	s.suite, s.agreed = shown.Totals{}, run.Agreements{}
}

// End writes what is to be said of all.
func (s *Stream) End() error {
	s.endSuite()
	if s.lines {
		return s.out.Flush()
	}
	if s.suites != 1 {
		fmt.Fprintf(s.out, "\nall: %s\n", s.total)
	}
	for _, line := range s.total.Spent() {
		fmt.Fprintln(s.out, s.cut(line, 0))
	}
	if s.of.Threshold > 0 {
		fmt.Fprintf(s.out, "\n%s\n", shortOf(s.of.Threshold, s.short))
	}
	if s.of.Away != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(red, "error:"), Printable(s.of.Away))
	}
	if s.of.Notice != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(yellow, "note:"), Printable(s.of.Notice))
	}
	return s.out.Flush()
}

// writeLine writes a record as one line of JSON, without what differs from one run to the
// next although nothing else does.
func writeLine(w io.Writer, rec run.Record) error {
	rec = rec.Untimed().Anew()
	return rec.WriteLine(w)
}
