package report

import (
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Text writes the report for people: a line per case, beneath it its graders
// and their criteria, and why it does not pass.
func (r Report) Text(w io.Writer, style Style) error {
	return r.writeStream(w, "text", style)
}

// writeStream writes the whole report as if its records had just come.
func (r Report) writeStream(w io.Writer, format string, style Style) error {
	out := r.Stream(w, format, style)
	for _, s := range r.Suites {
		out.BeginSuite(s.Name, s.Path)
		for rec := range s.Records {
			if err := out.WriteRecord(rec); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// writeLine writes texts as one line. What cannot be written is told when it is flushed.
func writeLine(w io.StringWriter, texts ...string) {
	for _, text := range texts {
		_, _ = w.WriteString(text)
	}
	_, _ = w.WriteString("\n")
}

// drawAgreement is a line for each criterion that was judged more than once.
func (p painter) drawAgreement(w io.StringWriter, all []run.Agreement) {
	for i, a := range all {
		if i == 0 {
			writeLine(w, "\n", p.paint(bold, "agreement of the samples"))
		}
		color := green
		if a.Contested > 0 {
			color = yellow
		}
		writeLine(w, "  ", p.paint(color, fmt.Sprintf("%4.0f%%", a.Agreement*100)), " ", p.truncate(formatAgreement(a), 8))
	}
}

// formatAgreement says what the percentage is of, and how often it would turn.
func formatAgreement(a run.Agreement) string {
	line := a.Label()
	if a.Contested > 0 {
		line += fmt.Sprintf(": contested in %d of %d, flip rate %.0f%%", a.Contested, a.Cases, a.FlipRate*100)
	}
	return line
}

func (p painter) drawRecord(w io.StringWriter, rec run.Record) {
	writeLine(w, p.paint(verdictColor[rec.Verdict], fmt.Sprintf("%-10s", Printable(string(rec.Verdict)))), " ",
		fmt.Sprintf("%-5s", corereport.ScoreOf(rec.Score)), "  ", p.paint(bold, p.truncate(rec.EvalID, 18)))
	for _, g := range rec.Graders {
		p.drawGrader(w, rec.Profile, g, "  ")
	}
	if rec.Error != "" {
		writeLine(w, "  ", p.paint(red, "error:"), " ", p.truncate(rec.Error, 9))
	}
	for _, reason := range corereport.FailureReasons(rec) {
		writeLine(w, "  ", p.paint(verdictColor[rec.Verdict], "why:"), " ", p.truncate(reason, 7))
	}
}

// drawGrader draws a grader, its criteria and its members.
func (p painter) drawGrader(w io.StringWriter, profile score.Profile, g run.GraderRecord, indent string) {
	details := " (" + corereport.GraderKind(g) + ")"
	switch {
	case g.Type == rubric.Turn:
		details = ""
	case g.Weight != 1:
		details = fmt.Sprintf(" (%s, weight %s)", corereport.GraderKind(g), corereport.FormatNumber(g.Weight))
	}
	outcome, color := Printable(outcomeText(g)), verdictColor[g.Verdict]
	if g.Ungraded != "" {
		color = red
	}
	name := p.truncate(g.Name+details+":", len(indent)+1+min(columns.StringWidth(outcome), 20))
	writeLine(w, indent, name, " ", p.paint(color, p.truncate(outcome, len(indent)+columns.StringWidth(name)+1)))
	for _, problem := range g.Problems {
		writeLine(w, indent, "  ! ", p.truncate(problem, len(indent)+4))
	}
	previous := "" // why the criterion before is
	for _, c := range corereport.Rows(profile, g) {
		p.drawCriterion(w, c, indent+"  ", previous)
		previous = c.Grade.Ungraded
	}
	if corereport.HasOwnFindings(g) {
		p.drawFindings(w, g, indent+"  ")
	}
	for _, m := range corereport.Members(g) {
		p.drawGrader(w, profile, m, indent+"  ")
	}
}

// drawCriterion draws a grade, with what it weighs and asks for in sight however
// long the criterion is. What kept several from being graded is told once.
func (p painter) drawCriterion(w io.StringWriter, c corereport.Row, indent, previous string) {
	tail := c.Details()
	if tail != "" {
		tail = " (" + tail + ")"
	}
	const mark = len("10/10 ")
	label := p.truncate(c.Heading(), len(indent)+mark+len(tail))
	writeLine(w, indent, p.paint(classColor[c.Class()], c.Mark()), " ", p.truncate(label+tail, len(indent)+mark))
	if reason := c.Reason(); reason != "" && (previous == "" || c.Grade.Ungraded != previous) {
		writeLine(w, indent, "      ", p.paint(dim, p.truncate(reason, len(indent)+mark)))
	}
}

func (p painter) drawFindings(w io.StringWriter, g run.GraderRecord, indent string) {
	for _, hit := range g.Hits {
		writeLine(w, indent, p.paint(green, "+"), " ", p.truncate(hit, len(indent)+2))
	}
	for _, miss := range g.Misses {
		writeLine(w, indent, p.paint(red, "-"), " ", p.truncate(miss, len(indent)+2))
	}
	if g.Reasoning != "" {
		writeLine(w, indent, "  ", p.paint(dim, p.truncate(g.Reasoning, len(indent)+2)))
	}
}

// outcomeText is a grader's result in a few words.
func outcomeText(g run.GraderRecord) string {
	switch {
	case g.Metric != nil && g.Metric.Status == metric.NotEvaluated:
		return fmt.Sprintf("%s: %s", g.Metric.Status, g.Metric.Reason)
	case g.Metric != nil:
		return fmt.Sprintf("%s %s, %s", g.Metric.Status, corereport.FormatScore(g.Score), corereport.MetricThreshold(g))
	case g.Ungraded != "":
		return "ungraded: " + g.Ungraded
	}
	return string(g.Verdict) + " " + corereport.FormatScore(g.Score)
}
