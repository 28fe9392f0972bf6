package cli

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

var runsCommand = command{
	name:    "runs",
	args:    "list | show | compare",
	summary: "look at the results that runs have left, and set them against each other",
	long: `A run is the .jsonl file that rubric run --out wrote: a line for each case, with
all that it was graded on, in the order of the eval file and without times, so that
it can be kept in a repository. rubric writes none that it is not told to write.`,
	example:     "rubric run my.eval.yaml --target answers.jsonl --out main.jsonl\nrubric runs show main.jsonl\nrubric runs compare main.jsonl branch.jsonl",
	subcommands: []command{runsListCommand, runsShowCommand, runsCompareCommand},
}

var runsListCommand = command{
	name:    "runs list",
	args:    "[FILE | FOLDER]…",
	summary: "the runs in some folders, and how they went",
	long: `Lists the files of results in the folders (but not below them): by default this
one, and ` + "`" + host.ResultsFolder + "`" + `, where AgentV keeps its own.

Exit status: 0, also where there are none, 2 usage or a file that cannot be read; the
others are listed.`,
	example: "rubric runs list\nrubric runs list baselines --format json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		format := flags.String("format", "text", "how to report: text or json")
		return func(s *session, args []string) int { return s.runsList(args, *format) }
	},
}

// runSummary is a run in one line.
type runSummary struct {
	Path     string        `json:"path"`
	Modified string        `json:"modified"` // the file, RFC 3339
	Datasets []string      `json:"datasets"`
	Target   string        `json:"target,omitempty"`
	Judge    string        `json:"judge,omitempty"`
	Totals   report.Totals `json:"totals"`
}

func (s *session) runsList(places []string, format string) int {
	if format != "text" && format != "json" {
		return s.commandError("--format is `text` or `json`, not `%s`", format)
	}
	files, err := listRunFiles(places)
	if err != nil {
		return s.commandError("%s", err)
	}
	list, code := []runSummary{}, exitOK
	for _, f := range files {
		l := runSummary{Path: f.Path, Modified: f.Modified.UTC().Format("2006-01-02T15:04:05Z"), Datasets: []string{}}
		err := host.EachRecord(f.Path, func(rec run.Record) error { l.add(rec); return nil })
		switch {
		case err != nil:
			code = s.commandError("%s", err)
		case l.Totals.Cases == 0:
			code = s.commandError("%s holds no results", f.Path)
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
	if err != nil {
		return s.commandError("write the result: %s", err)
	}
	return code
}

// add counts one more record.
func (l *runSummary) add(rec run.Record) {
	l.Totals.Add(rec)
	l.Target, l.Judge = cmp.Or(l.Target, rec.Target), cmp.Or(l.Judge, rec.Judge)
	for _, known := range l.Datasets {
		if known == rec.Dataset {
			return
		}
	}
	if rec.Dataset != "" {
		l.Datasets = append(l.Datasets, rec.Dataset)
	}
}

// listRunFiles are those that are named, and those in the folders that are.
func listRunFiles(places []string) (files []host.RunFile, err error) {
	if len(places) == 0 {
		places = []string{"."}
		if info, err := os.Stat(host.ResultsFolder); err == nil && info.IsDir() {
			places = append(places, host.ResultsFolder)
		}
	}
	for _, place := range places {
		info, err := os.Stat(place)
		if err == nil && !info.IsDir() {
			files = append(files, host.RunFile{Path: place, Modified: info.ModTime()})
			continue
		}
		inFolder, err := host.ListRunFiles(place)
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
		_, err := fmt.Fprintln(s.stderr, "rubric: there are no results here; `rubric run FILE --out NAME.jsonl` writes some")
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
