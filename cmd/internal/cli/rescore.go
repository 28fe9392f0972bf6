package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var rescoreCommand = command{
	name:    "rescore",
	args:    "RUN [FILE…]",
	summary: "a run's stored grades by today's rubric: which verdicts flip",
	long: `Scores the grades of a file of results again, with the weights, gates, ranges and
thresholds that the eval files have now, and asks nobody. The files are those that
the run was of, unless some are named: cases of the others are left out then, and
counted. A criterion that is new has no grade, and one whose text has changed was
judged by the old one; both are named. What ADK's metrics have measured is shown as it
was.

Exit status: 0 no verdict flips, 1 some do, 2 usage or a file that cannot be used.`,
	example: "rubric rescore main.jsonl\nrubric rescore main.jsonl my.eval.yaml --profile agentv\nrubric rescore main.jsonl --format jsonl > rescored.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		profile := flags.String("profile", "", "whose arithmetic: spec, or agentv, agentv-4 or agentv-head (default: the run's)")
		format := flags.String("format", "text", "how to report: text or json; jsonl for the results as they are now")
		return func(s *session, args []string) int { return s.rescore(args, score.Profile(*profile), *format) }
	},
}

func (s *session) rescore(args []string, profile score.Profile, format string) int {
	switch {
	case len(args) == 0:
		return s.commandError("name a file of results")
	case profile != "" && !profile.IsKnown():
		return s.commandError("--profile is %s, not `%s`", score.ProfileNames, profile)
	case format != "text" && format != "json" && format != "jsonl":
		return s.commandError("--format is `text`, `json` or `jsonl`, not `%s`", format)
	}
	path := host.FindRunFile(args[0])
	records, err := host.ReadResults(path)
	if err != nil {
		return s.commandError("%s", err)
	}
	current, err := loadEvalFiles(records, path, args[1:])
	if err != nil {
		return s.commandError("%s", err)
	}
	var flips []run.RescoredCase
	var skipped skippedCases
	var unknown, measured int // cases by their own rubric, and by none
	for _, rec := range records {
		c, owner := current.findCase(rec)
		switch {
		case rec.HasMetrics():
			measured++
		case owner == unknownFile:
			unknown++
		case owner == otherFile:
			skipped.elsewhere++
			continue
		case c == nil:
			skipped.removed++
			continue
		}
		flips = append(flips, run.RescoreCase(rec, c, profile))
	}
	if unknown > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s scored by the rubric in the results; name the eval file for today's\n", plural(unknown, "case"))
	}
	if measured > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s measured by ADK's metrics stay as they were; `rubric run` measures by today's, and asks no model twice\n", plural(measured, "case"))
	}
	if err := s.printFlips(flips, skipped, format); err != nil {
		return s.commandError("write the result: %s", err)
	}
	for _, f := range flips {
		if f.VerdictChanged {
			return exitFindings
		}
	}
	return exitOK
}

// skippedCases are cases that are not scored, as no file that is looked into has them.
type skippedCases struct{ removed, elsewhere int }

// print says which those are, each on a line.
func (c skippedCases) print(w io.Writer, prefix string) {
	if c.removed > 0 {
		fmt.Fprintf(w, "%s%s of the run no longer in the files\n", prefix, plural(c.removed, "case"))
	}
	if c.elsewhere > 0 {
		fmt.Fprintf(w, "%s%s of the run in files that are not named\n", prefix, plural(c.elsewhere, "case"))
	}
}

func (s *session) printFlips(flips []run.RescoredCase, skipped skippedCases, format string) error {
	switch format {
	case "jsonl":
		var records []run.Record
		for _, f := range flips {
			records = append(records, f.Record)
		}
		skipped.print(s.stderr, "rubric: ")
		return storedReport(records).JSONL(s.stdout)
	case "json":
		return writeJSON(s.stdout, map[string]any{"cases": append([]run.RescoredCase{}, flips...), "flips": countFlips(flips), "not_in_files": skipped.removed, "of_other_files": skipped.elsewhere})
	}
	var out strings.Builder
	for _, f := range flips {
		mark := "     "
		if f.VerdictChanged {
			mark = "flips"
		}
		fmt.Fprintf(&out, "%s  %-10s → %-10s  %s → %s  %s\n", mark, f.OldVerdict, f.NewVerdict, report.ScoreOf(f.OldScore), report.ScoreOf(f.NewScore), tableCell(f.ID))
		if f.CaseChanged {
			out.WriteString("         what is asked for is another now: the answer is to an older case\n")
		}
		for _, criterion := range f.StaleLabels {
			fmt.Fprintf(&out, "         %s: it asks for something else now, or was not judged\n", tableCell(criterion))
		}
		if f.VerdictChanged {
			for _, reason := range report.FailureReasons(f.Record.WithLabels()) {
				fmt.Fprintf(&out, "         why: %s\n", tableCell(reason))
			}
		}
	}
	fmt.Fprintf(&out, "%d of %s\n", countFlips(flips), plural(len(flips), "verdict")+" flip")
	skipped.print(&out, "")
	_, err := io.WriteString(s.stdout, out.String())
	return err
}

func countFlips(flips []run.RescoredCase) (n int) {
	for _, f := range flips {
		if f.VerdictChanged {
			n++
		}
	}
	return n
}
