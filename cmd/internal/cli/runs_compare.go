package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var runsCompareCommand = command{
	name:    "runs compare",
	args:    "OLD NEW",
	summary: "two runs against each other, case by case and criterion by criterion",
	long: `OLD and NEW are results of rubric run --out, or of another runner that writes a
line with eval_id and score for each case. A case is known by its id; where a run
has one id in several datasets, by both.

Runs that another judge, another profile or another number of samples graded, or
whose cases mean something else now, are not compared: the difference would not be
the targets'. --force compares what both have, and says so.

A case that either run left ungraded is neither won nor lost and has no part in the
mean difference. Such cases are counted on a line of their own.

Exit status: 0 the new run is on average at least as good, 1 it is not, 2 usage, or
runs that cannot be compared, 3 every case that both runs have is ungraded.`,
	example: "rubric runs compare main.jsonl branch.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		threshold := flags.Float64("threshold", score.DefaultThreshold, "the smallest difference that is a win or a loss")
		force := flags.Bool("force", false, "compare unlike runs, too")
		format := flags.String("format", "text", "how to report: text or json")
		return func(s *session, args []string) int { return s.runsCompare(args, *threshold, *force, *format) }
	},
}

func (s *session) runsCompare(args []string, threshold float64, force bool, format string) int {
	if len(args) != 2 {
		return s.commandError("name two files of results, the older first")
	}
	if format != "text" && format != "json" {
		return s.commandError("--format is `text` or `json`, not `%s`", format)
	}
	if !(threshold >= 0) {
		return s.commandError("--threshold is a difference of scores, not `%v`", threshold)
	}
	var scores [2]score.Scores
	var records [2][]run.Record
	for i, name := range args {
		path := host.FindRunFile(name)
		var err error
		if scores[i], err = host.ReadScores(path); err == nil {
			records[i], err = host.ReadRecordFile(path)
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
		return s.commandError("these runs are unlike: %s; --force compares them all the same", strings.Join(c.Warnings, "; "))
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
		fmt.Fprintf(&out, "unlike: %s\n", why)
	}
	for _, p := range c.Cases {
		fmt.Fprintf(&out, "%-8s  %5s → %5s  %6s  %s\n", p.Outcome, mean(p.First), mean(p.Second), difference(p.Delta), tableCell(strings.TrimPrefix(p.Dataset+"/"+p.ID, "/")))
		for _, g := range c.Grades {
			if g.ID == p.ID && (p.Dataset == "" || g.Dataset == p.Dataset) {
				fmt.Fprintf(&out, "      %s → %s  %s\n", report.Mark(g.First), report.Mark(g.Second), tableCell(run.CriterionName{Grader: g.Grader, Criterion: cmp.Or(g.Text, g.Criterion)}.Label()))
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
