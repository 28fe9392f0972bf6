package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge/offline"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// formatOf returns the format that a file name stands for, or "".
func formatOf(path string) string {
	if strings.HasSuffix(strings.ToLower(path), ".evalset_result.json") {
		return report.EvalsetResult
	}
	return map[string]string{
		".jsonl": "jsonl", ".json": "json", ".xml": "junit", ".html": "html", ".htm": "html", ".md": "markdown",
	}[strings.ToLower(filepath.Ext(path))]
}

// journalPath returns the first .jsonl file of the outputs, or "". Its journal stores the
// records of an interrupted run.
func journalPath(out []string) string {
	for _, path := range out {
		if formatOf(path) == "jsonl" {
			return path
		}
	}
	return ""
}

// checkWritable checks that the outputs can be written, before anything costs money.
func (o *runOptions) checkWritable() error {
	for _, path := range o.outputs {
		check := resultstore.CheckReplaceable
		if formatOf(path) == "" {
			check = resultstore.CheckAgentVFolder
		}
		if err := check(path); err != nil {
			return fmt.Errorf("--out %w", err)
		}
	}
	return nil
}

func (s *session) printReport(r report.Report, format string) error {
	if format == "text" {
		return r.Text(s.stdout, s.textStyle(report.AllCases))
	}
	w := s.stdout
	if format == "html" || format == "markdown" || format == "github" {
		w = s.documentWriter()
	}
	return report.Formats()[format](r, w)
}

// gradeSuites grades the cases of all files, writes the outputs and prints the report. It prints
// formats of single records as they come. Other formats need all records, which it then keeps. It
// returns the exit status.
func (s *session) gradeSuites(suites []loadedSuite, journal *resumeJournal, o *runOptions) (exitStatus, error) {
	r := report.Report{Threshold: o.Threshold, LeftOut: o.leftOut}
	sum := gradingSummary{minimums: run.NewMinimumResults(o.Minimums())}
	var text *report.Stream
	isText, isLines := o.format == "text", o.format == "jsonl"
	if isText {
		text = r.Stream(s.stdout, s.textStyle(o.detail()))
	}
	needAllRecords := !isText && !isLines || slices.ContainsFunc(o.outputs, func(path string) bool { return formatOf(path) != "jsonl" })
	for _, suite := range suites {
		sum.matrix.Varied.Add(suite.variant)
	}
	for _, suite := range suites {
		if isText {
			text.BeginSuite(suite.title(), suite.path)
		}
		var records []run.Record
		err := s.runSuite(suite, &journal.Resume, o, func(e run.Event) error {
			sum.add(r, suite, e)
			if needAllRecords {
				records = append(records, *e.Record)
			}
			switch {
			case isText:
				return text.WriteRecord(*e.Record)
			case isLines:
				return e.Record.Stored().WriteLine(s.stdout)
			}
			return nil
		})
		if err != nil {
			return exitUsage, err
		}
		r.Suites = append(r.Suites, suite.report(records, o))
	}
	if sum.usedOffline {
		r.Notice = offline.Notice
	}
	r.Unreachable, r.Minimums, r.Matrix = sum.unreachable.String(), sum.finish(), sum.matrix.Finish()
	s.noteShortfalls(r, o.format)
	if len(r.Minimums) > 0 && sum.status == exitUnreachable {
		s.printNote("ungraded cases do not count for minimums, but make the exit status 3")
	}
	if sum.needsModel {
		defer s.printNote("ungraded criteria need a model: " + targets.SuggestJudge())
	}
	if s.ctx.Err() != nil { // the records are in the journal
		s.noteInterrupted(sum.cases, journal)
		sum.status = exitInterrupted
	} else if err := s.writeOutputs(r, suites, journal, o); err != nil {
		return exitUsage, err
	}
	switch {
	case isText:
		return sum.status, text.Close(r)
	case isLines:
		return sum.status, nil
	}
	return sum.status, s.printReport(r, o.format)
}

// report returns what reports hold of a suite.
func (l loadedSuite) report(records []run.Record, o *runOptions) report.Suite {
	written := report.Suite{Name: l.title(), Path: l.path, Records: records, Lines: l.lines, Derived: l.suite.Derived, Conversations: l.conversationsOf(o)}
	if l.evaluation != nil {
		written.Criteria = l.evaluation.Criteria
	}
	return written
}

// assertionTypes returns the types of the assertions whose kind does not tell them, by case and name.
func assertionTypes(suites []loadedSuite, o *runOptions) (types map[[2]string]string, err error) {
	types = map[[2]string]string{}
	for _, suite := range suites {
		cases, _ := suite.selectedCases(o, &err)
		for c := range cases {
			for g := range rubric.Walk(c.Graders) {
				if g.Assert != nil && slices.Contains([]rubric.Kind{rubric.Deterministic, rubric.TraceSteps, rubric.External}, g.Kind) {
					types[[2]string{c.ID, g.Name}] = g.Assert.Type
				}
			}
		}
	}
	return types, err
}

// writeOutputs writes the files of --out. The journal has the lines of result files.
func (s *session) writeOutputs(r report.Report, suites []loadedSuite, journal *resumeJournal, o *runOptions) error {
	n, aside, err := journal.file.ArchiveOthers(journal.Unused())
	if n > 0 { // they were paid for
		s.printNote(fmt.Sprintf("set aside in %s: %s, because the cases are gone or have changed, or the target, judge or number of trials or samples differs", aside, diag.CountNoun(n, "earlier result")))
	}
	if err != nil {
		return err
	}
	for _, path := range o.outputs {
		if formatOf(path) == "" {
			types, err := assertionTypes(suites, o)
			if err == nil {
				err = resultstore.WriteAgentVRun(path, r.Suites[0].Path, time.Now(), types, r.Judged(r.Records()))
			}
			if err != nil {
				return err
			}
			continue
		}
		write := func(w io.Writer) error { return report.Formats()[formatOf(path)](r, w) }
		switch isLines := formatOf(path) == "jsonl"; {
		case isLines && journal.shards != nil:
			write = func(w io.Writer) error { return resultstore.WriteShards(w, journal.shards) }
		case isLines:
			write = journal.file.WriteRecords
		}
		if err := s.replaceOutput(path, write, o); err != nil {
			return err
		}
	}
	return journal.file.Remove()
}

// replaceOutput writes a file of --out. It keeps the file that was there, unless the run has continued
// from it, and says so.
func (s *session) replaceOutput(path string, write func(io.Writer) error, o *runOptions) error {
	previous := ""
	if !o.resume {
		var err error
		if previous, err = resultstore.KeepPrevious(path); err != nil {
			return err
		}
	}
	if err := disk.WriteFile(path, write); err != nil {
		return err
	}
	if previous != "" {
		s.printNote(fmt.Sprintf("%s is replaced; the file before is %s", path, previous))
	}
	return nil
}

// noteInterrupted says what an interrupted run has stored.
func (s *session) noteInterrupted(cases int, journal *resumeJournal) {
	message := "after " + diag.CountNoun(cases, "case")
	if cases == 0 {
		message = "before a case was finished"
	}
	switch {
	case journal.file == nil && cases > 0:
		message += "; results were only printed: --out with a .jsonl file stores them"
	case journal.file.HasRecords():
		message += "; continue with --resume"
	}
	fmt.Fprintf(s.stderr, "rubric: interrupted %s\n", message)
}

// noteUnstored tells a person at a terminal how to store a run, after one that is only printed.
func (s *session) noteUnstored(o *runOptions) {
	if len(o.outputs) == 0 && o.plan == nil && o.format == "text" && !o.quiet && s.ctx.Err() == nil && os.Getenv("CI") == "" && isTerminal(s.stdout) && isTerminal(s.stderr) {
		s.printNote("this run is not stored; `--out run1.jsonl` stores it, and `rubric view` shows stored runs")
	}
}

func (s *session) textStyle(detail report.Detail) report.Style {
	return report.Style{Color: s.useColor(s.stdout), Width: s.width(s.stdout), Detail: detail}
}

// A gradingSummary sums up the graded cases of a run so far.
type gradingSummary struct {
	cases       int
	status      exitStatus // the exit status: a case that fails outweighs one that is ungraded
	usedOffline bool
	needsModel  bool // the offline judge left something ungraded
	unreachable corereport.UnreachedCases
	minimums    *run.MinimumResults
	matrix      corereport.Matrix // of several targets, prompts or judges
}

// finish returns the results of the minimums. One that is not reached outweighs ungraded cases.
func (sum *gradingSummary) finish() []run.MinimumResult {
	for _, m := range sum.minimums.List() {
		switch {
		case m.Reached == nil && sum.status == 0:
			sum.status = exitUnreachable
		case m.Reached != nil && !m.Holds:
			sum.status = exitFindings
		}
	}
	return sum.minimums.List()
}

func (sum *gradingSummary) add(r report.Report, suite loadedSuite, e run.Event) {
	rec := e.Record
	sum.cases++
	if suite.variant != (run.Variant{}) {
		sum.matrix.Add(*rec, r.Threshold)
	}
	hasMinimum := sum.minimums.Add(suite.variant, e.Case.Tags, rec, r.Threshold)
	switch {
	case sum.status == exitFindings:
	case rec.Verdict == score.Ungraded, rec.Unreachable && rec.Profile.IsReference():
		sum.status = exitUnreachable
	case !rec.Passes(r.Threshold) && !hasMinimum:
		sum.status = exitFindings
	}
	sum.usedOffline = sum.usedOffline || usesOfflineJudge(rec.Graders)
	sum.needsModel = sum.needsModel || needsModel(rec.Graders)
	sum.unreachable.Add(rec.WithLabels())
}

// usesOfflineJudge reports whether the offline judge was asked for a grade.
func usesOfflineJudge(graders []run.GraderRecord) bool {
	isGraded := func(grade score.Grade) bool {
		return strings.HasSuffix(grade.Reasoning, offline.Caveat) || slices.ContainsFunc(grade.Opinions, func(o score.Opinion) bool { return o.Judge == offline.Name })
	}
	return needsModel(graders) || slices.ContainsFunc(graders, func(g run.GraderRecord) bool {
		return g.Metric != nil && g.Metric.Notice != "" || strings.HasSuffix(g.Reasoning, offline.Caveat) ||
			slices.ContainsFunc(g.Grades, isGraded) || usesOfflineJudge(g.Members)
	})
}

// needsModel reports whether the offline judge left something ungraded.
func needsModel(graders []run.GraderRecord) bool {
	return slices.ContainsFunc(graders, func(g run.GraderRecord) bool {
		return offline.IsLeft(g.Ungraded) || g.Metric != nil && offline.IsLeft(g.Metric.Reason) || needsModel(g.Members) ||
			slices.ContainsFunc(g.Grades, func(grade score.Grade) bool { return offline.IsLeft(grade.Ungraded) })
	})
}

// noteShortfalls repeats on standard error which judges or targets could not be reached and which minimums are not,
// if a program may read standard output. The text format contains it.
func (s *session) noteShortfalls(r report.Report, format string) {
	if format == "text" {
		return
	}
	if r.Unreachable != "" {
		s.printError(errors.New(report.Printable(r.Unreachable)))
	}
	for _, m := range r.Minimums {
		if !m.Holds {
			s.printNote(report.Printable(m.String()))
		}
	}
}

// newProgress returns the progress line of a run, or nil if standard error is not a
// terminal.
func (s *session) newProgress() *report.Progress {
	if !isTerminal(s.stderr) {
		return nil
	}
	return &report.Progress{Out: rawWriter(s.stderr), Width: s.width(s.stderr), Clock: time.Now}
}
