package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge/offline"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var runsCommand = command{
	name:    "runs",
	args:    "list | show | compare",
	summary: "list, show and compare stored results",
	long: `A run is a .jsonl file that rubric run --out wrote. It has one line for each case, in
the order of the eval file, with everything that the grade is based on. It contains
no times, so it can be committed to a repository. rubric writes no such file unless
you ask for it.`,
	example:     "rubric run my.eval.yaml --target answers.jsonl --out main.jsonl\nrubric runs show main.jsonl\nrubric runs compare main.jsonl branch.jsonl",
	subcommands: []command{runsListCommand, runsShowCommand, runsCompareCommand},
}

var runsListCommand = command{
	name:    "runs list",
	args:    "[FILE | FOLDER]…",
	summary: "list the runs in folders, with their totals",
	long: `Lists the results in the given folders, without their subfolders. The default is the
current folder and ` + resultstore.ResultsFolder + `, where AgentV keeps its own.

Exit status: 0 also when there are none, 2 usage or a file that cannot be read (the
others are still listed).`,
	example: "rubric runs list\nrubric runs list baselines --format json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		format := flags.String("format", "text", "output format: text or json")
		return func(s *session, args []string) int { return s.runsList(args, *format) }
	},
}

// A runSummary describes a run in one line.
type runSummary struct {
	Path     string            `json:"path"`
	Modified string            `json:"modified"` // of the file, RFC 3339
	Datasets []string          `json:"datasets"`
	Target   string            `json:"target,omitempty"`
	Judge    string            `json:"judge,omitempty"`
	Totals   corereport.Totals `json:"totals"`
	targets  []string
}

func (s *session) runsList(places []string, format string) int {
	if format != "text" && format != "json" {
		return s.commandError("--format must be `text` or `json`, not `%s`", format)
	}
	files, err := listRunFiles(places)
	if err != nil {
		return s.commandError("%s", err)
	}
	list, code := []runSummary{}, exitOK
	for _, f := range files {
		l := runSummary{Path: f.Path, Modified: f.Modified.UTC().Format("2006-01-02T15:04:05Z"), Datasets: []string{}}
		records, err := resultstore.ReadRecordFile(f.Path)
		for _, rec := range records {
			l.add(rec)
		}
		switch {
		case err != nil:
			code = s.commandError("%s", err)
		case l.Totals.Cases == 0:
			code = s.commandError("%s contains no results", f.Path)
		default:
			list = append(list, l)
		}
	}
	if len(list) == 0 && code != exitOK {
		return code
	}
	if format == "json" {
		err = writeJSON(s.stdout, map[string]any{"runs": list})
	} else {
		err = s.printRuns(list)
	}
	return s.writeStatus(err, code)
}

// add counts a record.
func (l *runSummary) add(rec run.Record) {
	l.Totals.Add(rec)
	l.Judge = cmp.Or(l.Judge, rec.Judge)
	if rec.Target != "" && !slices.Contains(l.targets, rec.Target) {
		l.targets = append(l.targets, rec.Target)
		l.Target = strings.Join(l.targets, ", ")
	}
	if rec.Dataset != "" && !slices.Contains(l.Datasets, rec.Dataset) {
		l.Datasets = append(l.Datasets, rec.Dataset)
	}
}

// listRunFiles returns the named files and the result files in the named folders.
func listRunFiles(places []string) (files []resultstore.RunFile, err error) {
	if len(places) == 0 {
		places = []string{"."}
		if info, err := os.Stat(resultstore.ResultsFolder); err == nil && info.IsDir() {
			places = append(places, resultstore.ResultsFolder)
		}
	}
	for _, place := range places {
		info, err := os.Stat(place)
		if err == nil && !info.IsDir() {
			files = append(files, resultstore.RunFile{Path: place, Modified: info.ModTime()})
			continue
		}
		inFolder, err := resultstore.ListRunFiles(place)
		if err != nil {
			return nil, err
		}
		files = append(files, inFolder...)
	}
	return files, nil
}

// mean is a mean score with three places, or a dash without one.
func mean(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *f)
}

func (s *session) printRuns(list []runSummary) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(s.stderr, "rubric: no results here; `rubric run FILE --out NAME.jsonl` writes some")
		return err
	}
	table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RUN\tCHANGED\tCASES\tPASS\tUNGRADED\tMEAN\tTARGET\tJUDGE\tDATASETS")
	for _, l := range list {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", tableCell(l.Path), strings.NewReplacer("T", " ", "Z", "").Replace(l.Modified)[:16],
			l.Totals.Cases, l.Totals.Pass, l.Totals.Ungraded, mean(l.Totals.MeanScore), tableCell(l.Target), tableCell(l.Judge), tableCell(strings.Join(l.Datasets, ", ")))
	}
	return table.Flush()
}

var runsShowCommand = command{
	name:    "runs show",
	args:    "RUN",
	summary: "show one run in any format of rubric run",
	long: `RUN is a file of results. They are shown as they were scored. Use rubric rescore to
score them again.

Exit status: 0 for any verdicts, 2 usage or a file that cannot be read.`,
	example: "rubric runs show main.jsonl --case 'refund-*'\nrubric runs show main.jsonl --format html > main.html",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		cases := flags.StringArray("case", nil, "select cases by id or pattern (repeatable)")
		format := flags.String("format", "text", "output format: text, json, jsonl, junit or html")
		return func(s *session, args []string) int { return s.runsShow(args, *cases, *format) }
	},
}

func (s *session) runsShow(args, cases []string, format string) int {
	if len(args) != 1 {
		return s.commandError("name one file of results")
	}
	if report.Formats()[format] == nil {
		return s.commandError("--format must be `text`, `json`, `jsonl`, `junit` or `html`, not `%s`", format)
	}
	records, err := resultstore.ReadResults(resultstore.FindRunFile(args[0]))
	if err != nil {
		return s.commandError("%s", err)
	}
	var chosen []run.Record
	var all []*rubric.Case
	selects := run.MatchIDs(cases...)
	for _, rec := range records {
		c := &rubric.Case{ID: rec.EvalID}
		if all = append(all, c); selects(c) {
			chosen = append(chosen, rec)
		}
	}
	if err := checkCasePatterns(all, cases); err != nil {
		return s.commandError("%s", err)
	}
	result := storedReport(chosen)
	s.noteUnreachable(result.Unreachable, format)
	return s.writeStatus(s.printReport(result, format), exitOK)
}

// storedReport groups stored records by suite, and by target if several have answered.
func storedReport(records []run.Record) (r report.Report) {
	several := len(run.RepeatedTargets(records)) > 0
	var unreachable corereport.UnreachedCases
	first := 0 // first record of the current suite
	for i, rec := range records {
		name := rec.Dataset
		if several {
			name += " (" + rec.Target + ")"
		}
		if n := len(r.Suites); n == 0 || r.Suites[n-1].Name != name {
			r.Suites, first = append(r.Suites, report.Suite{Name: name, Path: rec.EvalFile}), i
		}
		if slices.Contains(strings.Split(rec.Judge, run.PanelSeparator), offline.Name) {
			r.Notice = offline.Notice
		}
		r.Suites[len(r.Suites)-1].Records = slices.Values(records[first : i+1])
		unreachable.Add(rec.WithLabels())
	}
	r.Unreachable = unreachable.String()
	return r
}

var runsCompareCommand = command{
	name:    "runs compare",
	args:    "OLD NEW",
	summary: "compare two runs, case by case and criterion by criterion",
	long: `OLD and NEW are results of rubric run --out, or of another runner that writes one
line with eval_id and score for each case. Cases are matched by id, and also by
dataset if a run has the same id in several datasets.

Runs are not comparable if their judge, profile or number of samples differs, or if
the meaning of a case has changed. The difference would then not come from the
targets. --force compares what both runs have, and lists the differences.

A case that either run left ungraded is neither won nor lost and does not count in the
mean difference. Such cases are counted separately.

Exit status: 0 the new run is on average at least as good, 1 it is worse, 2 usage, or
the runs are not comparable, 3 every case that both runs have is ungraded.`,
	example: "rubric runs compare main.jsonl branch.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		threshold := flags.Float64("threshold", score.DefaultThreshold, "count smaller score differences as ties")
		force := flags.Bool("force", false, "compare runs that are not comparable, too")
		format := flags.String("format", "text", "output format: text or json")
		return func(s *session, args []string) int { return s.runsCompare(args, *threshold, *force, *format) }
	},
}

func (s *session) runsCompare(args []string, threshold float64, force bool, format string) int {
	if len(args) != 2 {
		return s.commandError("name two files of results, the older first")
	}
	if format != "text" && format != "json" {
		return s.commandError("--format must be `text` or `json`, not `%s`", format)
	}
	if !(threshold >= 0) {
		return s.commandError("--threshold must be a difference of scores, not `%v`", threshold)
	}
	var scores [2]score.Scores
	var records [2][]run.Record
	for i, name := range args {
		path := resultstore.FindRunFile(name)
		var err error
		if scores[i], err = resultstore.ReadScores(path); err == nil {
			records[i], err = resultstore.ReadRecordFile(path)
		}
		if targets := run.RepeatedTargets(records[i]); err == nil && len(targets) > 0 {
			err = fmt.Errorf("%s has results of several targets, %s; compare files with one target each", path, diag.JoinList(diag.Backtick(targets), "and"))
		}
		if err != nil {
			return s.commandError("%s", err)
		}
	}
	c := run.Compare(records[0], records[1], scores, threshold)
	if c.Matched == 0 {
		return s.commandError("no case is in both files")
	}
	if len(c.Warnings) > 0 && !force {
		return s.commandError("these runs are not comparable: %s; --force compares them anyway", strings.Join(c.Warnings, "; "))
	}
	write := writeComparison
	if format == "json" {
		write = func(w io.Writer, c run.Comparison) error { return writeJSON(w, c) }
	}
	if err := write(s.stdout, c); err != nil {
		return s.commandError("write the result: %s", err)
	}
	switch {
	case !c.IsNoWorse():
		return exitFindings
	case c.Ungraded == c.Matched:
		return exitUnreachable
	}
	return exitOK
}

// difference is a difference of scores with its sign, or a dash without one.
func difference(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%+.3f", *f)
}

func writeComparison(w io.Writer, c run.Comparison) error {
	var out strings.Builder
	for _, why := range c.Warnings {
		fmt.Fprintf(&out, "not comparable: %s\n", why)
	}
	for _, p := range c.Cases {
		fmt.Fprintf(&out, "%-8s  %5s → %5s  %6s  %s\n", p.Outcome, mean(p.First), mean(p.Second), difference(p.Delta), tableCell(strings.TrimPrefix(p.Dataset+"/"+p.ID, "/")))
		for _, g := range c.Grades {
			if g.ID == p.ID && (p.Dataset == "" || g.Dataset == p.Dataset) {
				fmt.Fprintf(&out, "      %s → %s  %s\n", corereport.Mark(g.First), corereport.Mark(g.Second), tableCell(run.CriterionName{Grader: g.Grader, Criterion: cmp.Or(g.Text, g.Criterion)}.Label()))
			}
		}
	}
	if len(c.Criteria) > 0 {
		out.WriteString("by criterion:\n")
	}
	for _, p := range c.Criteria {
		fmt.Fprintf(&out, "  %d won, %d lost, %d tied of %d  %s", p.Wins, p.Losses, p.Ties, p.Cases, tableCell(p.Label()))
		if p.Ungraded > 0 {
			fmt.Fprintf(&out, " (%d ungraded)", p.Ungraded)
		}
		out.WriteString("\n")
	}
	fmt.Fprintf(&out, "%d won, %d lost, %d tied of %d; mean difference %+.3f\n", c.Wins, c.Losses, c.Ties, c.Matched-c.Ungraded, c.MeanDelta)
	if c.Ungraded > 0 {
		fmt.Fprintf(&out, "not compared, because a run left them ungraded: %d of %d\n", c.Ungraded, c.Matched)
	}
	if u := c.Unmatched; u.First+u.Second > 0 {
		fmt.Fprintf(&out, "in the old run only: %d; in the new one only: %d\n", u.First, u.Second)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
