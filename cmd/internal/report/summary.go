package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// A Summary is the result of a command that compares or counts, in the shape that all formats but JSON
// share.
type Summary struct {
	Title  string
	Lines  []string           // sentences about the whole
	Matrix *corereport.Matrix // of several targets or runs; may be nil
	Tables []corereport.Table
	Checks []Check
}

// A Check is one thing that passes or does not: a test of JUnit, and an annotation of GitHub if it does
// not pass.
type Check struct {
	Group, Name string
	State       State
	Message     string // why it does not pass
	File        string // "" if it concerns no file
	Line        int    // 0 if unknown
}

// State says how a [Check] ends.
type State string

const (
	Passed    State = "passed"
	Tolerated State = "tolerated" // it does not pass, and nothing depends on it
	Failed    State = "failed"
	NoResult  State = "ungraded"
)

// SummaryFormats returns the functions that write a summary, by format name.
func SummaryFormats() map[string]func(Summary, io.Writer) error {
	return map[string]func(Summary, io.Writer) error{"markdown": Summary.Markdown, "github": Summary.GitHub, "junit": Summary.JUnit}
}

// Limits of a table in Markdown, because a comment of GitHub holds 65,536 characters.
const (
	mostRows = 50
	longCell = 1000
)

// Markdown writes the summary for a comment on a pull request or a job's summary.
func (s Summary) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w) // Flush returns its errors
	fmt.Fprintf(out, "### %s\n", markdown(s.Title))
	for _, line := range s.Lines {
		fmt.Fprintf(out, "\n%s\n", markdown(line))
	}
	for _, t := range append(matrixTables(s.Matrix), s.Tables...) {
		tableMarkdown(out, t)
	}
	return out.Flush()
}

// Text writes the summary for people. Tables are fitted to the screen.
func (s Summary) Text(w io.Writer, style Style) error {
	out, p := &strings.Builder{}, painter{Style: style}
	writeLine(out, p.paint(bold, p.fit(s.Title, 0, 2)))
	if s.Matrix != nil {
		writeLine(out)
		p.drawMatrix(out, s.Matrix)
	}
	hasTable := false
	for _, t := range s.Tables {
		if len(t.Rows) < 2 { // only its head
			continue
		}
		hasTable = true
		writeLine(out)
		if t.Title != "" {
			writeLine(out, p.paint(bold, Printable(t.Title)))
		}
		shown := func(cell string) string { return cmp.Or(Printable(unquote(cell)), "-") }
		rows := generic.Map(t.Rows, func(row []string) []string { return generic.Map(row, shown) })
		widths := columnWidths(rows)
		widest := slices.Index(widths, slices.Max(widths))
		out.WriteString(fitTable(rows, p.Width, widest, p.paintHead))
	}
	if hasTable && len(s.Lines) > 0 {
		writeLine(out)
	}
	for _, line := range s.Lines {
		writeLine(out, p.fit(line, 0, 2))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// unquote returns a cell without the backticks around it, which are for Markdown.
func unquote(cell string) string {
	if name := strings.Trim(cell, "`"); len(name) == len(cell)-2 && !strings.Contains(name, "`") {
		return name
	}
	return cell
}

func tableMarkdown(out *bufio.Writer, t corereport.Table) {
	if len(t.Rows) < 2 { // only its head
		return
	}
	if t.Title != "" {
		fmt.Fprintf(out, "\n**%s**\n", markdown(t.Title))
	}
	out.WriteByte('\n')
	for i, row := range t.Rows {
		if i > mostRows {
			fmt.Fprintf(out, "\n… and %d more\n", len(t.Rows)-i)
			break
		}
		for _, cell := range row {
			if runes := []rune(cell); len(runes) > longCell {
				cell = string(runes[:longCell]) + " …"
			}
			fmt.Fprintf(out, "| %s ", markdown(cell))
		}
		out.WriteString("|\n")
		if i == 0 {
			out.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
}

// markdownEscaper escapes what text could do in Markdown: format, link, embed an image, or notify a
// user. In code, only the end of a cell matters.
var (
	markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;", "|", `\|`, "#", `\#`, "~", `\~`, "@", "@\u200b")
	codeEscaper     = strings.NewReplacer("|", `\|`)
)

// markdown returns a sentence on one line; text in backticks becomes code.
func markdown(sentence string) string {
	parts := strings.Split(Printable(sentence), "`")
	var out strings.Builder
	for i, part := range parts {
		isCode := i%2 == 1 && i < len(parts)-1 && part != ""
		switch {
		case isCode:
			out.WriteString("`" + codeEscaper.Replace(part) + "`")
		case i%2 == 1:
			out.WriteString(markdownEscaper.Replace("`" + part))
			if i < len(parts)-1 {
				out.WriteString("\\`")
			}
		default:
			out.WriteString(markdownEscaper.Replace(part))
		}
	}
	return out.String()
}

// GitHub writes a workflow command for each check that does not pass. GitHub shows it next to the line.
func (s Summary) GitHub(w io.Writer) error {
	level := map[State]string{Failed: "error", NoResult: "warning", Tolerated: "warning"}
	for _, c := range s.Checks {
		if c.State == Passed {
			continue
		}
		a := Annotation{Level: level[c.State], File: c.File, Title: c.Name, Message: c.Message}
		if c.Line > 0 {
			a.Places = fmt.Sprintf("line=%d", c.Line)
		}
		if _, err := io.WriteString(w, a.String()); err != nil {
			return err
		}
	}
	return nil
}

// An Annotation is a workflow command of GitHub.
type Annotation struct {
	Level  string // error, warning or notice
	File   string // "" for none
	Places string // properties of the place in File, such as line=1,col=2
	Title  string
	// Message may have several lines.
	Message string
}

var (
	annotationMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// String returns the command with its line end.
func (a Annotation) String() string {
	properties := []string{}
	if a.File != "" {
		properties = append(properties, "file="+annotationProperty.Replace(a.File))
	}
	if a.File != "" && a.Places != "" {
		properties = append(properties, a.Places)
	}
	properties = append(properties, "title="+annotationProperty.Replace(a.Title))
	return fmt.Sprintf("::%s %s::%s\n", a.Level, strings.Join(properties, ","), annotationMessage.Replace(a.Message))
}

// JUnit writes each check as a test.
func (s Summary) JUnit(w io.Writer) error {
	var suites []junitSuite
	for _, c := range s.Checks {
		i := slices.IndexFunc(suites, func(suite junitSuite) bool { return suite.Name == c.Group })
		if i < 0 {
			i = len(suites)
			suites = append(suites, junitSuite{Name: c.Group, File: c.File})
		}
		suites[i].Cases = append(suites[i].Cases, c.junitCase())
	}
	return writeJUnit(w, suites)
}

// junitCase returns the test for a check.
func (c Check) junitCase() junitCase {
	test := junitCase{Name: c.Name, Classname: c.Group}
	switch fault := (&junitFault{Message: c.Message, Type: string(c.State)}); c.State {
	case NoResult:
		test.Error = fault
	case Failed:
		test.Failure = fault
	case Tolerated:
		test.Out = c.Message
	}
	return test
}

// Summary sums up the report: totals by suite, and the cases that do not pass.
func (r Report) Summary() (s Summary) {
	total := corereport.CountTotals(r.Judged(r.Records()))
	passing := 0
	totals := corereport.Table{Rows: [][]string{{"", "pass", "borderline", "fail", "ungraded", "mean score"}}}
	failing := corereport.Table{Rows: [][]string{{"case", "verdict", "score", "why"}}}
	failed := Failed
	if len(r.Minimums) > 0 && !slices.ContainsFunc(r.Minimums, func(m run.MinimumResult) bool { return !m.Holds }) {
		failed = Tolerated
	}
	row := func(name string, t corereport.Totals) {
		totals.Rows = append(totals.Rows, []string{name, fmt.Sprint(t.Pass), fmt.Sprint(t.Borderline), fmt.Sprint(t.Fail), fmt.Sprint(t.Ungraded), corereport.ScoreOf(t.MeanScore)})
	}
	for _, suite := range r.Suites {
		records := r.Judged(suite.Records)
		row(cmp.Or(suite.Name, suite.Path), corereport.CountTotals(records))
		prefix := ""
		if len(r.Suites) > 1 {
			prefix = suite.Name + ": "
		}
		for _, rec := range records {
			check := Check{Group: suite.Name, Name: rec.EvalID, State: Passed, File: cmp.Or(suite.Path, rec.EvalFile), Line: suite.Lines[rec.EvalID]}
			if rec.Verdict == score.Pass {
				passing++
			} else {
				why := whyNot(rec)
				check.State, check.Message = failed, fmt.Sprintf("%s, score %s: %s", rec.Verdict, corereport.ScoreOf(rec.Score), why)
				if rec.Verdict == score.Ungraded {
					check.State, check.Message = NoResult, "ungraded: "+why
				}
				failing.Rows = append(failing.Rows, []string{prefix + "`" + rec.EvalID + "`", string(rec.Verdict), corereport.ScoreOf(rec.Score), why})
			}
			s.Checks = append(s.Checks, check)
		}
	}
	if len(r.Suites) > 1 {
		row("all", total)
	}
	s.Title = fmt.Sprintf("%d of %d cases pass", passing, total.Cases)
	if s.Checks = append(s.Checks, leftOutChecks(r.LeftOut)...); len(r.LeftOut) > 0 {
		s.Lines = append(s.Lines, corereport.CountLeftOut(r.LeftOut)+".")
	}
	for _, m := range r.Minimums {
		s.Lines = append(s.Lines, m.String()+".")
		s.Checks = append(s.Checks, minimumCheck(m))
	}
	for _, line := range append(total.UsageLines(), r.Unreachable) {
		if line != "" {
			s.Lines = append(s.Lines, line+".")
		}
	}
	if r.Notice != "" {
		s.Lines = append(s.Lines, "Every verdict here was "+r.Notice+".")
	}
	s.Matrix, s.Tables = r.Matrix, []corereport.Table{totals, failing}
	return s
}

// Judged returns records with their verdicts from the threshold.
func (r Report) Judged(records []run.Record) []run.Record { return generic.Map(records, r.judge) }

// judge is [run.Record.Judged] from the threshold of the report, or else from that of the record's run.
func (r Report) judge(rec run.Record) run.Record {
	return rec.Judged(cmp.Or(r.Threshold, rec.RunThreshold))
}

// whyNot returns the reasons of a case that does not pass.
func whyNot(rec run.Record) string {
	reasons := corereport.FailureReasons(rec.WithLabels())
	if rec.Error != "" {
		reasons = append([]string{rec.Error}, reasons...)
	}
	return strings.Join(reasons, "; ")
}

// leftOutChecks returns a check without a result for each case that was left out, and for each error that was ignored.
func leftOutChecks(all []corereport.LeftOut) []Check {
	return generic.Map(all, func(l corereport.LeftOut) Check {
		c := Check{Group: l.File, Name: cmp.Or(l.ID, l.File), State: NoResult, Message: "left out: " + l.Error, File: l.File, Line: l.Line}
		if l.ID == "" {
			c.Message = "ignored: " + l.Error
		}
		return c
	})
}

func minimumCheck(m run.MinimumResult) Check {
	c := Check{Group: "minimums", Name: m.Name(), State: Passed, Message: m.String()}
	switch {
	case m.Reached == nil:
		c.State = NoResult
	case !m.Holds:
		c.State = Failed
	}
	return c
}

// writeJUnit writes suites as a document.
func writeJUnit(w io.Writer, suites []junitSuite) error {
	all := junitSuites{Name: "rubric", Suites: suites}
	for i := range suites {
		suite := &suites[i]
		for _, c := range suite.Cases {
			suite.Tests++
			if c.Failure != nil {
				suite.Failures++
			}
			if c.Error != nil {
				suite.Errors++
			}
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
	}
	body, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, body)
	}
	return err
}
