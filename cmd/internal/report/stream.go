package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// A Stream writes a report as text, record by record.
type Stream struct {
	threshold float64 // see [Report.Threshold]
	out       *bufio.Writer
	painter

	suites       int
	suite, total report.Totals // of the current suite, and of all suites
	agreements   run.Agreements
	failing      []string
	hasDrawn     bool // a case of the current suite
	afterBlock   bool // the last case has several lines
}

// Stream starts the report. BeginSuite and WriteRecord add its content.
func (r Report) Stream(w io.Writer, style Style) *Stream {
	return &Stream{threshold: r.Threshold, out: bufio.NewWriter(w), painter: painter{style, &causes{firstIDs: map[string]string{}}}}
}

// BeginSuite ends the previous suite and starts a new one.
func (s *Stream) BeginSuite(name, path string) {
	s.endSuite()
	if s.suites++; s.suites > 1 {
		fmt.Fprintln(s.out)
	}
	fmt.Fprintln(s.out, s.paint(bold, Wrap(Printable(cmp.Or(path, name)), 0, 2, s.Width)))
}

// WriteRecord writes a record.
func (s *Stream) WriteRecord(rec run.Record) error {
	if s.suite.Cases == 0 {
		fmt.Fprintln(s.out, s.paint(dim, s.fit(fmt.Sprintf("target %s, judge %s, profile %s",
			cmp.Or(rec.Asked(), "unknown"), cmp.Or(rec.Judge, "unknown"), cmp.Or(rec.Profile, "unknown")), 0, 2)))
	}
	s.suite.Add(rec)
	s.total.Add(rec)
	s.agreements.Add(rec)
	if s.threshold > 0 && !rec.Passes(s.threshold) {
		s.failing = append(s.failing, Printable(rec.EvalID))
	}
	s.drawCase(rec.WithLabels())
	return s.out.Flush()
}

// drawCase draws a case in the stream's detail. Even totals alone come with the reasons why cases are ungraded. A case that is ungraded only for causes that are
// shown already gets one line.
func (s *Stream) drawCase(rec run.Record) {
	passes := rec.Passes(s.threshold)
	s.causes.begin(rec)
	known := s.causes.firstCase()
	switch {
	case s.Detail == OnlyTotals && rec.Verdict == score.Ungraded && known == "":
		why := whyNot(rec)
		s.separate(false)
		s.drawVerdict(s.out, rec, s.causes.abbreviate(Printable(why)))
	case s.Detail == OnlyTotals, s.Detail == OnlyFailed && passes:
	case s.Detail != AllCases && passes:
		s.separate(false)
		s.drawVerdict(s.out, rec, "")
		s.drawAnswerer(s.out, rec)
		s.drawProblems(s.out, rec.Graders)
	case s.Detail != AllCases && known != "":
		s.separate(false)
		s.drawVerdict(s.out, rec, "for the same cause as "+Printable(known))
	default:
		s.separate(true)
		s.drawVerdict(s.out, rec, "")
		s.drawRecord(s.out, rec)
	}
}

// separate writes an empty line before and after a block of lines, and before the first line.
func (s *Stream) separate(isBlock bool) {
	if isBlock || s.afterBlock || !s.hasDrawn {
		fmt.Fprintln(s.out)
	}
	s.hasDrawn, s.afterBlock = true, isBlock
}

// endSuite writes the summary of the current suite.
func (s *Stream) endSuite() {
	if s.suites > 0 {
		s.drawAgreement(s.out, s.agreements.List())
		fmt.Fprintf(s.out, "\n%s\n", s.suite)
	}
	s.suite, s.agreements, s.hasDrawn = report.Totals{}, run.Agreements{}, false
}

// Close writes the summary of all suites, with what r says of the run as a whole.
func (s *Stream) Close(r Report) error {
	s.endSuite()
	if s.suites != 1 {
		fmt.Fprintf(s.out, "\nall: %s\n", s.total)
	}
	if line := report.CountLeftOut(r.LeftOut); line != "" {
		fmt.Fprintln(s.out, s.paint(red, line))
	}
	for _, line := range s.total.UsageLines() {
		fmt.Fprintln(s.out, Wrap(Printable(line), 0, 2, s.Width))
	}
	if s.threshold > 0 {
		outcome := "all cases pass"
		if len(s.failing) > 0 { // verdicts do not show them
			outcome = "these do not pass: " + strings.Join(s.failing, ", ")
		}
		fmt.Fprintf(s.out, "\nwith the threshold %s %s\n", report.FormatScore(s.threshold), outcome)
	}
	if r.Matrix != nil {
		fmt.Fprintln(s.out)
		s.drawMatrix(s.out, r.Matrix)
	}
	for i, m := range r.Minimums {
		if i == 0 {
			fmt.Fprintln(s.out)
		}
		color := green
		if !m.Holds {
			color = red
		}
		fmt.Fprintln(s.out, s.paint(color, Wrap(Printable(m.String()), 0, 2, s.Width)))
	}
	if r.Unreachable != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(red, "error:"), Wrap(Printable(r.Unreachable), 7, 7, s.Width))
	}
	if r.Notice != "" {
		fmt.Fprintf(s.out, "\n%s %s\n", s.paint(yellow, "note:"), Wrap(Printable(r.Notice), 6, 6, s.Width))
	}
	return s.out.Flush()
}

// causes are the reasons why cases are ungraded. A long one is drawn in full where it occurs
// first, and afterwards as a reference to that case. A nil *causes abbreviates nothing.
type causes struct {
	firstIDs map[string]string // the case in which a cause was drawn first
	current  string            // the case that is being drawn
	all      []string          // of the current case
	graded   bool              // the current case has a grade
}

// minCause is the length of the shortest cause that is abbreviated.
const minCause = 30

// asAbove stands for a cause that was drawn in the same case.
const asAbove = "as above"

// begin collects the causes of a case.
func (c *causes) begin(rec run.Record) {
	c.current = rec.EvalID
	c.all, c.graded = report.Causes(rec)
	c.graded = c.graded || rec.Verdict != score.Ungraded
	c.all = generic.Map(c.all, Printable)
}

// firstCase returns the case that shows why the current one is ungraded, or "" if something of the
// current case is new.
func (c *causes) firstCase() (id string) {
	if c.graded {
		return ""
	}
	for _, cause := range c.all {
		first := c.firstIDs[cause]
		if first == "" || id != "" && first != id {
			return ""
		}
		id = first
	}
	return id
}

// abbreviate replaces causes in a line that were drawn already.
func (c *causes) abbreviate(line string) string {
	if c == nil {
		return line
	}
	for _, cause := range c.all {
		if !strings.Contains(line, cause) {
			continue
		}
		first := c.firstIDs[cause]
		switch {
		case first == "":
			c.firstIDs[cause] = c.current
		case len(cause) < minCause:
		case first == c.current:
			line = strings.ReplaceAll(strings.ReplaceAll(line, " ("+cause+")", ""), cause, asAbove)
		default:
			line = strings.ReplaceAll(line, cause, "as in "+Printable(first))
		}
	}
	return line
}
