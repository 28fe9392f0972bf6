package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/score"
)

var compareVerb = verb{
	name:    "compare",
	args:    "OLD.jsonl NEW.jsonl",
	summary: "set two runs' scores against each other, case by case",
	long: `The files are results of rubric run --out, or of another runner that writes a
line with eval_id and score for each case. A case is known by its id; where a run
has one id in several datasets, by both.

Exit status: 0 the new run is on average at least as good, 1 it is not.`,
	example: "rubric compare main.jsonl branch.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		threshold := flags.Float64("threshold", score.DefaultThreshold, "the smallest difference that is a win or a loss")
		format := flags.String("format", "text", "how to report: text or json")
		return func(s *session, args []string) int { return s.compare(args, *threshold, *format) }
	},
}

func (s *session) compare(args []string, threshold float64, format string) int {
	if len(args) != 2 {
		return s.misuse("compare: name two files of results, the older first")
	}
	if format != "text" && format != "json" {
		return s.misuse("compare: --format is `text` or `json`, not `%s`", format)
	}
	if threshold < 0 {
		return s.misuse("compare: --threshold is a difference of scores, not `%v`", threshold)
	}
	var runs [2]score.Scores
	for i, path := range args {
		scores, err := host.Scores(path)
		if err != nil {
			return s.misuse("compare: %s", err)
		}
		runs[i] = scores
	}
	c := score.Compare(runs[0], runs[1], threshold)
	if c.Matched == 0 {
		return s.misuse("compare: no case is in both files")
	}
	write := writeComparison
	if format == "json" {
		write = func(w io.Writer, c score.Comparison) error { return writeJSON(w, c) }
	}
	if err := write(s.stdout, c); err != nil {
		return s.misuse("compare: write the result: %s", err)
	}
	if !c.NoWorse() {
		return exitFindings
	}
	return exitOK
}

func writeComparison(w io.Writer, c score.Comparison) error {
	var out strings.Builder
	for _, p := range c.Cases {
		fmt.Fprintf(&out, "%-4s  %5.3f → %5.3f  %+.3f  %s\n", p.Outcome, p.First, p.Second, p.Delta, strings.TrimPrefix(p.Dataset+"/"+p.ID, "/"))
	}
	fmt.Fprintf(&out, "%d won, %d lost, %d tied of %d; mean difference %+.3f\n", c.Wins, c.Losses, c.Ties, c.Matched, c.MeanDelta)
	if u := c.Unmatched; u.First+u.Second > 0 {
		fmt.Fprintf(&out, "in the old run only: %d; in the new one only: %d\n", u.First, u.Second)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
