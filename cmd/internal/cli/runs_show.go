package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/judge/offline"
	shown "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

var runsShowCommand = command{
	name:    "runs show",
	args:    "RUN",
	summary: "one run as it went, in any format of rubric run",
	long: `RUN is a file of results. They are shown as they were scored; rubric rescore scores
them again.

Exit status: 0 whatever the verdicts, 2 usage or a file that cannot be read.`,
	example: "rubric runs show main.jsonl --case 'refund-*'\nrubric runs show main.jsonl --format html > main.html",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		cases := flags.StringArray("case", nil, "only the cases with this id or pattern (may be repeated)")
		format := flags.String("format", "text", "what to print: text, json, jsonl, junit or html")
		return func(s *session, args []string) int { return s.runsShow(args, *cases, *format) }
	},
}

func (s *session) runsShow(args, cases []string, format string) int {
	if len(args) != 1 {
		return s.commandError("name one file of results")
	}
	if report.Formats()[format] == nil {
		return s.commandError("--format is `text`, `json`, `jsonl`, `junit` or `html`, not `%s`", format)
	}
	records, err := host.ReadResults(host.FindRunFile(args[0]))
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
	if err := s.printReport(result, format); err != nil {
		return s.commandError("write the result: %s", err)
	}
	return exitOK
}

// storedReport is the report of stored records, by suite.
func storedReport(records []run.Record) (r report.Report) {
	var unreachable shown.UnreachedCases
	first := 0 // of the last suite
	for i, rec := range records {
		if n := len(r.Suites); n == 0 || r.Suites[n-1].Name != rec.Dataset {
			r.Suites, first = append(r.Suites, report.Suite{Name: rec.Dataset, Path: rec.EvalFile}), i
		}
		if slices.Contains(strings.Split(rec.Judge, panelSeparator), offline.Name) {
			r.Notice = offline.Notice
		}
		r.Suites[len(r.Suites)-1].Records = slices.Values(records[first : i+1])
		unreachable.Add(rec.WithLabels())
	}
	r.Unreachable = unreachable.String()
	return r
}
