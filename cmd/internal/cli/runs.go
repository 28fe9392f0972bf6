package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

var runsCommand = command{
	name:        "runs",
	summary:     "List, show, compare and merge stored results",
	example:     "rubric run my.eval.yaml --target answers.jsonl --out main.jsonl\nrubric runs show main.jsonl\nrubric runs compare main.jsonl branch.jsonl",
	subcommands: []command{runsListCommand, runsShowCommand, runsCompareCommand, runsMergeCommand},
}

var runsListCommand = command{
	name:    "runs list",
	args:    "[PATH]…",
	summary: "List the runs in folders, with their totals",
	list:    func() string { return resultstore.ResultsFolder },
	example: "rubric runs list\nrubric runs list baselines --format json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		var format string
		formatVar(flags, &format, "text", "json")
		return func(s *session, args []string) error { return s.runsList(args, format) }
	},
}

func (s *session) runsList(places []string, format string) error {
	files, err := listRunFiles(places)
	if err != nil {
		return err
	}
	list, status := []*corereport.StoredRun{}, exitStatus(0)
	for _, f := range files {
		records, err := resultstore.ReadResults(f.Path)
		if err != nil {
			status = exitStatus(s.exitCode(err))
			continue
		}
		list = append(list, summarize(f, f.Path, records))
	}
	if len(list) == 0 && status != 0 {
		return status
	}
	if format == "json" {
		err = report.WriteJSON(s.stdout, map[string]any{"runs": list})
	} else {
		err = s.printRuns(list)
	}
	return cmp.Or(err, status.err())
}

// summarize sums up the records of a run, or those of one of its targets or judges.
func summarize(f resultstore.RunFile, name string, records []run.Record) *corereport.StoredRun {
	r := &corereport.StoredRun{Path: name, File: f.Path, Modified: f.Modified.UTC().Format("2006-01-02T15:04:05Z"), Datasets: []string{}}
	for _, rec := range records {
		r.Add(rec.Judged(rec.RunThreshold))
	}
	return r
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

func (s *session) printRuns(list []*corereport.StoredRun) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(s.stderr, "rubric: no results here; `rubric run FILE --out NAME.jsonl` writes some")
		return err
	}
	rows := [][]string{{"RUN", "CHANGED", "CASES", "PASS", "UNGRADED", "MEAN", "TARGET", "JUDGE", "DATASETS"}}
	for _, l := range list {
		rows = append(rows, []string{tableCell(l.Path), strings.NewReplacer("T", " ", "Z", "").Replace(l.Modified)[:16],
			strconv.Itoa(l.Totals.Cases), strconv.Itoa(l.Totals.Pass), strconv.Itoa(l.Totals.Ungraded), corereport.ScoreOf(l.Totals.MeanScore),
			tableCell(l.Target), tableCell(l.Judge), tableCell(strings.Join(l.Datasets, ", "))})
	}
	return s.printText(report.FormatTable(rows))
}

var runsShowCommand = command{
	name:    "runs show",
	args:    "RUN",
	summary: "Show one run in another format",
	example: "rubric runs show main.jsonl --case 'refund-*'\nrubric runs show main.jsonl --format html > main.html",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		cases := flags.StringArray("case", nil, "select cases by `ID` or pattern (repeatable)")
		var format string
		formatVar(flags, &format, "text", "json", "jsonl", "junit", "markdown", "github", "html")
		return func(s *session, args []string) error { return s.runsShow(args, *cases, format) }
	},
}

func (s *session) runsShow(args, cases []string, format string) error {
	records, err := resultstore.ReadResults(resultstore.FindRunFile(args[0]))
	if shards, _ := filepath.Glob(filepath.Join(args[0], "shard-*.jsonl")); err != nil && shards != nil {
		return fmt.Errorf("%s has shards of a run; `rubric runs merge %[1]s` shows them", args[0])
	}
	if err != nil {
		return err
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
		return err
	}
	result := storedReport(chosen)
	s.noteShortfalls(result, format)
	return s.printReport(result, format)
}

// storedReport groups stored records by suite, and by what tells results of a case apart.
func storedReport(records []run.Record) (r report.Report) {
	matrix := corereport.Matrix{Varied: run.FindVaried(records)}
	var unreachable corereport.UnreachedCases
	first := 0 // first record of the current suite
	for i, rec := range records {
		name := rec.Dataset
		if v := matrix.Varied.Of(rec.Variant()); v != (run.Variant{}) {
			name += fmt.Sprintf(" (%s)", v)
			matrix.Add(rec, rec.RunThreshold)
		}
		if n := len(r.Suites); n == 0 || r.Suites[n-1].Name != name || r.Suites[n-1].Path != rec.EvalFile {
			r.Suites, first = append(r.Suites, report.Suite{Name: name, Path: rec.EvalFile}), i
		}
		if slices.Contains(strings.Split(rec.Judge, run.PanelSeparator), offline.Name) {
			r.Notice = offline.Notice
		}
		r.Suites[len(r.Suites)-1].Records = records[first : i+1]
		unreachable.Add(rec.WithLabels())
	}
	if i := slices.IndexFunc(records, func(rec run.Record) bool { return rec.RunThreshold != records[0].RunThreshold }); i < 0 && len(records) > 0 {
		r.Threshold = records[0].RunThreshold // else each record is judged by its own
	}
	r.Unreachable, r.Matrix = unreachable.String(), matrix.Finish()
	return r
}
