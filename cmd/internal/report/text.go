package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// Text writes the report for people: one line per case, then its graders, their criteria
// and the reasons.
func (r Report) Text(w io.Writer, style Style) error {
	out := r.Stream(w, style)
	for _, s := range r.Suites {
		out.BeginSuite(s.Name, s.Path)
		for _, rec := range s.Records {
			if err := out.WriteRecord(rec); err != nil {
				return err
			}
		}
	}
	return out.Close(r)
}

// writeLine writes texts as one line. Errors appear at the final flush.
func writeLine(w io.StringWriter, texts ...string) {
	for _, text := range texts {
		_, _ = w.WriteString(text)
	}
	_, _ = w.WriteString("\n")
}

// drawAgreement draws one line for each criterion with several samples, with its contested cases.
func (p painter) drawAgreement(w io.StringWriter, all []run.Agreement) {
	for i, a := range all {
		if i == 0 {
			writeLine(w, "\n", p.paint(bold, "agreement of the samples"))
		}
		line, color := a.Label(), green
		if a.Contested > 0 {
			line += fmt.Sprintf(": contested in %d of %d, flip rate %s", a.Contested, a.Cases, score.FormatPercent(a.FlipRate))
			color = yellow
		}
		writeLine(w, "  ", p.paint(color, fmt.Sprintf("%6s", score.FormatPercent(a.Agreement))), " ", p.fit(line, 9, 9))
	}
}

// drawVerdict draws the verdict of a case in one line, with a remark.
func (p painter) drawVerdict(w io.StringWriter, rec run.Record, remark string) {
	const column = len("ungraded   0.123  ")
	id := Wrap(Printable(rec.EvalID), column, column, p.Width)
	if remark != "" {
		remark = "  " + Wrap(remark, endColumn(id, column)+2, column, p.Width)
	}
	writeLine(w, p.paint(verdictColor[rec.Verdict], fmt.Sprintf("%-10s", Printable(string(rec.Verdict)))), " ",
		fmt.Sprintf("%-5s", corereport.ScoreOf(rec.Score)), "  ", p.paint(bold, id), p.paint(dim, remark))
}

// drawRecord draws what a case's verdict is based on.
func (p painter) drawRecord(w io.StringWriter, rec run.Record) {
	p.drawAnswerer(w, rec)
	for _, g := range rec.Graders {
		p.drawGrader(w, rec.Profile, g, "  ")
	}
	if rec.Informational != nil {
		writeLine(w, "  ", p.paint(dim, p.fit("took "+rec.Informational.PerTurn(), 2, 4)))
	}
	if rec.Error != "" {
		writeLine(w, "  ", p.paint(red, "error:"), " ", p.fit(rec.Error, 9, 9))
	}
	for _, reason := range corereport.FailureReasons(rec) {
		writeLine(w, "  ", p.paint(verdictColor[rec.Verdict], "why:"), " ", p.fit(reason, 7, 7))
	}
}

// drawProblems draws what is remarkable about a case that passes.
func (p painter) drawProblems(w io.StringWriter, graders []run.GraderRecord) {
	for _, g := range graders {
		for _, problem := range g.Problems {
			writeLine(w, "  ! ", p.fit(problem, 4, 4))
		}
		p.drawProblems(w, g.Members)
	}
}

// drawAnswerer draws who answered, unless it is the run's target, and how many trials pass.
func (p painter) drawAnswerer(w io.StringWriter, rec run.Record) {
	if rec.OwnTarget {
		writeLine(w, "  ", p.paint(dim, p.fit(fmt.Sprintf("target %s, judge %s", rec.Asked(), rec.Judge), 2, 4)))
	}
	if t := rec.Trials; t != nil && len(t.Runs) > 0 {
		writeLine(w, "  ", p.fit("trials: "+t.String(), 2, 4))
	}
	if rec.AnsweredBy != "" {
		writeLine(w, "  ", p.paint(yellow, p.fit(fmt.Sprintf("answered by the fallback %s", rec.AnsweredBy), 2, 4)))
	}
}

// drawGrader draws a grader, its criteria and its members.
func (p painter) drawGrader(w io.StringWriter, profile score.Profile, g run.GraderRecord, indent string) {
	var facts []string
	if kind := corereport.GraderKind(g); kind != strings.ReplaceAll(g.Name, "_", " ") && g.Type != rubric.Turn {
		facts = append(facts, kind)
	}
	if g.Weight != 1 && g.Type != rubric.Turn {
		facts = append(facts, "weight "+score.FormatNumber(g.Weight))
	}
	details := ""
	if len(facts) > 0 {
		details = " (" + strings.Join(facts, ", ") + ")"
	}
	outcome, color := Printable(outcomeText(g)), verdictColor[g.Verdict]
	if g.Ungraded != "" {
		color = red
	}
	name := p.fit(g.Name+details+":", len(indent), len(indent)+2)
	writeLine(w, indent, name, " ", p.paint(color, p.fit(outcome, endColumn(name, len(indent))+1, len(indent)+4)))
	for _, problem := range g.Problems {
		writeLine(w, indent, "  ! ", p.fit(problem, len(indent)+4, len(indent)+4))
	}
	previous := "" // reason of the previous criterion
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

// drawCriterion draws a grade. A reason shared with the previous criterion is drawn once.
func (p painter) drawCriterion(w io.StringWriter, c corereport.Row, indent, previous string) {
	tail := c.Details()
	if tail != "" {
		tail = " (" + tail + ")"
	}
	const mark = len("10/10 ")
	column := len(indent) + mark
	writeLine(w, indent, p.paint(classColor[c.Class()], corereport.Mark(c.Grade)), " ", p.fit(c.Heading()+tail, column, column))
	if reason := c.Reason(); reason != "" && (previous == "" || c.Grade.Ungraded != previous) {
		if reason = p.fit(reason, column, column); reason != "ungraded: "+asAbove {
			writeLine(w, indent, "      ", p.paint(dim, reason))
		}
	}
}

func (p painter) drawFindings(w io.StringWriter, g run.GraderRecord, indent string) {
	for _, hit := range g.Hits {
		writeLine(w, indent, p.paint(green, "+"), " ", p.fit(hit, len(indent)+2, len(indent)+2))
	}
	for _, miss := range g.Misses {
		writeLine(w, indent, p.paint(red, "-"), " ", p.fit(miss, len(indent)+2, len(indent)+2))
	}
	if g.Reasoning != "" {
		writeLine(w, indent, "  ", p.paint(dim, p.fit(g.Reasoning, len(indent)+2, len(indent)+2)))
	}
}

// outcomeText summarizes the result of a grader.
func outcomeText(g run.GraderRecord) string {
	switch {
	case g.Metric != nil && g.Metric.Status == metric.NotEvaluated:
		return fmt.Sprintf("%s: %s", g.Metric.Status, g.Metric.Reason)
	case g.Metric != nil:
		return fmt.Sprintf("%s %s, %s", g.Metric.Status, corereport.ScoreOf(g.Score), corereport.MetricThreshold(g))
	case corereport.IsUnassertedTurn(g):
		return g.Reasoning
	case g.Ungraded != "":
		return "ungraded: " + g.Ungraded
	}
	return string(g.Verdict) + " " + corereport.ScoreOf(g.Score)
}

// A Style says how text looks on a screen.
type Style struct {
	Color bool
	Width int // columns; 0: unlimited
	Detail
}

// Detail says how much of a run is shown.
type Detail int

const (
	AllCases   Detail = iota // every case with its graders
	Failures                 // a line for a case that passes
	OnlyFailed               // nothing for a case that passes
	OnlyTotals               // no cases but the ungraded ones, each cause once
)

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// classColor maps the class of a grade to a colour.
var classColor = map[string]string{"good": green, "fair": yellow, "bad": red, "none": red}

var verdictColor = map[score.Verdict]string{score.Pass: green, score.Borderline: yellow, score.Fail: red, score.Ungraded: red}

// A painter draws with a style.
type painter struct {
	Style
	causes *causes // drawn so far
}

func (p painter) paint(color, text string) string { return diag.Colorize(p.Color, color, text) }

// fit breaks text into lines for the screen. It starts at column start, and further lines are
// indented by indent.
func (p painter) fit(text string, start, indent int) string {
	return Wrap(p.causes.abbreviate(Printable(text)), start, indent, p.Width)
}

// Printable returns s on one line, without characters that control a terminal or change
// the direction of text.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if text.IsDisplayControl(r) {
			return '·'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}
