package report

import (
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/metric"
	shown "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Text writes the report for people: a line per case, beneath it its graders
// and their criteria, and why it does not pass.
func (r Report) Text(w io.Writer, style Style) error {
	return r.stream(w, "text", style)
}

// stream writes the whole report as if its records had just come.
func (r Report) stream(w io.Writer, format string, style Style) error {
	out := r.Stream(w, format, style)
	for _, s := range r.Suites {
		out.Suite(s.Name, s.Path)
		for rec := range s.Records {
			if err := out.Case(rec); err != nil {
				return err
			}
		}
	}
	return out.End()
}

// line writes texts as one line. What cannot be written is told when it is flushed.
func line(w io.StringWriter, texts ...string) {
	for _, text := range texts {
		_, _ = w.WriteString(text)
	}
	_, _ = w.WriteString("\n")
}

// agreement is a line for each criterion that was judged more than once.
func (p painter) agreement(w io.StringWriter, all []run.Agreement) {
	for i, a := range all {
		if i == 0 {
			line(w, "\n", p.paint(bold, "agreement of the samples"))
		}
		color := green
		if a.Contested > 0 {
			color = yellow
		}
		line(w, "  ", p.paint(color, fmt.Sprintf("%4.0f%%", a.Agreement*100)), " ", p.cut(agreementLine(a), 8))
	}
}

// agreementLine says what the percentage is of, and how often it would turn.
func agreementLine(a run.Agreement) string {
	line := a.Words()
	if a.Contested > 0 {
		line += fmt.Sprintf(": contested in %d of %d, flip rate %.0f%%", a.Contested, a.Cases, a.FlipRate*100)
	}
	return line
}

func (p painter) record(w io.StringWriter, rec run.Record) {
	line(w, p.paint(verdictColor[rec.Verdict], fmt.Sprintf("%-10s", Printable(string(rec.Verdict)))), " ",
		fmt.Sprintf("%-5s", shown.Score(rec.Score)), "  ", p.paint(bold, p.cut(rec.EvalID, 18)))
	for _, g := range rec.Graders {
		p.grader(w, rec.Profile, g, "  ")
	}
	if rec.Error != "" {
		line(w, "  ", p.paint(red, "error:"), " ", p.cut(rec.Error, 9))
	}
	for _, reason := range shown.Why(rec) {
		line(w, "  ", p.paint(verdictColor[rec.Verdict], "why:"), " ", p.cut(reason, 7))
	}
}

// grader draws a grader, its criteria and its members.
func (p painter) grader(w io.StringWriter, profile score.Profile, g run.GraderRecord, indent string) {
	what := " (" + shown.KindOf(g) + ")"
	switch {
	case g.Type == rubric.Turn:
		what = ""
	case g.Weight != 1:
		what = fmt.Sprintf(" (%s, weight %s)", shown.KindOf(g), shown.Number(g.Weight))
	}
	outcome, color := Printable(outcomeOf(g)), verdictColor[g.Verdict]
	if g.Ungraded != "" {
		color = red
	}
	name := p.cut(g.Name+what+":", len(indent)+1+min(cells.StringWidth(outcome), 20))
	line(w, indent, name, " ", p.paint(color, p.cut(outcome, len(indent)+cells.StringWidth(name)+1)))
	for _, problem := range g.Problems {
		line(w, indent, "  ! ", p.cut(problem, len(indent)+4))
	}
	open := "" // why the criterion before is
	for _, c := range shown.Rows(profile, g) {
		p.criterion(w, c, indent+"  ", open)
		open = c.Grade.Ungraded
	}
	if shown.FindsItself(g) {
		p.findings(w, g, indent+"  ")
	}
	for _, m := range shown.MembersOf(g) {
		p.grader(w, profile, m, indent+"  ")
	}
}

// criterion draws a grade, with what it weighs and asks for in sight however
// long the criterion is. What kept several from being graded is told once.
func (p painter) criterion(w io.StringWriter, c shown.Row, indent, open string) {
	tail := c.Terms()
	if tail != "" {
		tail = " (" + tail + ")"
	}
	const mark = len("10/10 ")
	label := p.cut(c.Label(), len(indent)+mark+len(tail))
	line(w, indent, p.paint(classColor[c.Class()], c.Mark()), " ", p.cut(label+tail, len(indent)+mark))
	if reason := c.Reason(); reason != "" && (open == "" || c.Grade.Ungraded != open) {
		line(w, indent, "      ", p.paint(dim, p.cut(reason, len(indent)+mark)))
	}
}

func (p painter) findings(w io.StringWriter, g run.GraderRecord, indent string) {
	for _, hit := range g.Hits {
		line(w, indent, p.paint(green, "+"), " ", p.cut(hit, len(indent)+2))
	}
	for _, miss := range g.Misses {
		line(w, indent, p.paint(red, "-"), " ", p.cut(miss, len(indent)+2))
	}
	if g.Reasoning != "" {
		line(w, indent, "  ", p.paint(dim, p.cut(g.Reasoning, len(indent)+2)))
	}
}

// outcomeOf is a grader's result in a few words.
func outcomeOf(g run.GraderRecord) string {
	switch {
	case g.Metric != nil && g.Metric.Status == metric.NotEvaluated:
		return fmt.Sprintf("%s: %s", g.Metric.Status, g.Metric.Reason)
	case g.Metric != nil:
		return fmt.Sprintf("%s %s, %s", g.Metric.Status, shown.Score(g.Score), shown.Held(g))
	case g.Ungraded != "":
		return "ungraded: " + g.Ungraded
	}
	return string(g.Verdict) + " " + shown.Score(g.Score)
}
