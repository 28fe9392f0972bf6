package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

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
	return r.writeStream(w, "text", style)
}

// writeStream writes the whole report as a stream.
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
	return out.Close(r.Unreachable, r.Notice)
}

// writeLine writes texts as one line. Errors appear at the final flush.
func writeLine(w io.StringWriter, texts ...string) {
	for _, text := range texts {
		_, _ = w.WriteString(text)
	}
	_, _ = w.WriteString("\n")
}

// drawAgreement draws one line for each criterion with several samples.
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

// formatAgreement names the criterion and its contested cases.
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
	if rec.OwnTarget {
		writeLine(w, "  ", p.paint(dim, p.truncate(fmt.Sprintf("target %s, judge %s", rec.Target, rec.Judge), 3)))
	}
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

// drawCriterion draws a grade. Its weight and requirement stay visible for any length of
// text. A reason shared with the previous criterion is drawn once.
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

// outcomeText summarizes the result of a grader.
func outcomeText(g run.GraderRecord) string {
	switch {
	case g.Metric != nil && g.Metric.Status == metric.NotEvaluated:
		return fmt.Sprintf("%s: %s", g.Metric.Status, g.Metric.Reason)
	case g.Metric != nil:
		return fmt.Sprintf("%s %s, %s", g.Metric.Status, corereport.FormatScore(g.Score), corereport.MetricThreshold(g))
	case corereport.IsUnassertedTurn(g):
		return g.Reasoning
	case g.Ungraded != "":
		return "ungraded: " + g.Ungraded
	}
	return string(g.Verdict) + " " + corereport.FormatScore(g.Score)
}

// A Style says how text looks on a screen.
type Style struct {
	Color bool
	Width int // columns; 0: unlimited
}

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

// columns measures text in terminal columns. It does not depend on the machine's locale,
// so that equal runs print equal tables.
var columns = &runewidth.Condition{StrictEmojiNeutral: true}

type painter struct{ Style }

func (p painter) paint(color, text string) string { return diag.Colorize(p.Color, color, text) }

// truncate shortens text so that it ends within the screen after indent columns. At least
// ten columns remain.
func (p painter) truncate(text string, indent int) string {
	text = Printable(text)
	if p.Width == 0 {
		return text
	}
	return columns.Truncate(text, max(p.Width-indent, 10), "…")
}

// Printable returns s on one line, without characters that control a terminal or change
// the direction of text.
func Printable(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if text.IsDisplayControl(r) {
			return '·'
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}

// isPlain reports whether text is printable ASCII with single spaces.
func isPlain(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && (i == 0 || i == len(text)-1 || text[i+1] == ' ') {
			return false
		}
	}
	return true
}
