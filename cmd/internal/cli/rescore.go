package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var rescoreVerb = verb{
	name:    "rescore",
	args:    "RUN [FILE…]",
	summary: "a run's stored grades by today's rubric: which verdicts flip",
	long: `Scores the grades of a file of results again, with the weights, gates, ranges and
thresholds that the eval files have now, and asks nobody. The files are those that
the run was of, unless others are named. A criterion that is new has no grade, and
one whose text has changed was judged by the old one; both are named. What ADK's
metrics have measured is shown as it was.

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
		return s.refuse("name a file of results")
	case profile != "" && !profile.Known():
		return s.refuse("--profile is %s, not `%s`", score.ProfileNames, profile)
	case format != "text" && format != "json" && format != "jsonl":
		return s.refuse("--format is `text`, `json` or `jsonl`, not `%s`", format)
	}
	path := host.FileOf(args[0])
	records, err := host.Results(path)
	if err != nil {
		return s.refuse("%s", err)
	}
	today, err := evalsOf(records, path, args[1:])
	if err != nil {
		return s.refuse("%s", err)
	}
	var flips []run.Flip
	var left, own, measured int // cases that the files no longer have, those by their own rubric, and those by none
	for _, rec := range records {
		c, known := today.find(rec)
		switch {
		case rec.Measured():
			measured++
		case !known:
			own++
		case c == nil:
			left++
			continue
		}
		flips = append(flips, run.Today(rec, c, profile))
	}
	if own > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s scored by the rubric in the results; name the eval file for today's\n", plural(own, "case"))
	}
	if measured > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s measured by ADK's metrics stay as they were; `rubric run` measures by today's, and asks no model twice\n", plural(measured, "case"))
	}
	if err := s.printFlips(flips, left, format); err != nil {
		return s.refuse("write the result: %s", err)
	}
	for _, f := range flips {
		if f.Flips {
			return exitFindings
		}
	}
	return exitOK
}

// evals are eval files by the name under which results know them.
type evals struct {
	suites map[string]*rubric.Suite
	named  []*rubric.Suite // instead of the results' own, if there are any
	// renamed is whether the only one that is named has a name that no result knows:
	// then all of them are of it.
	renamed bool
}

// evalsOf reads the eval files that are named, or else those that records name:
// from where the run was started, or beside its results.
func evalsOf(records []run.Record, results string, names []string) (*evals, error) {
	all := &evals{suites: map[string]*rubric.Suite{}}
	for _, name := range names {
		suite, err := suiteOf(name)
		if err != nil {
			return nil, err
		}
		all.named = append(all.named, suite)
	}
	all.renamed = len(all.named) == 1 && !slices.ContainsFunc(records, func(rec run.Record) bool { return rec.Dataset == all.named[0].Name })
	for _, rec := range records {
		name := rec.EvalFile
		if _, read := all.suites[name]; read || name == "" || len(names) > 0 || rec.Measured() {
			continue
		}
		path := filepath.FromSlash(name)
		if !host.Exists(path) && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(results), path)
		}
		suite, err := suiteOf(path)
		if err != nil {
			return nil, fmt.Errorf("%w; name the eval file after the results", err)
		}
		all.suites[name] = suite
	}
	return all, nil
}

func suiteOf(path string) (*rubric.Suite, error) {
	body, err := host.Read(path)
	if err != nil {
		return nil, err
	}
	a := analysis.Of(host.Input(path, body))
	if a.ADK() != adk.None {
		return nil, fmt.Errorf("%s is an ADK file, whose metrics have no rubric that grades could be held against", path)
	}
	suite := a.Suite()
	if len(suite.Cases) == 0 {
		return nil, fmt.Errorf("%s has no cases", path)
	}
	return suite, nil
}

// find is the case of a record, nil if it is no more; known tells whether its file
// is.
func (e *evals) find(rec run.Record) (c *rubric.Case, known bool) {
	for _, suite := range e.named {
		if c := suite.Case(rec.EvalID); c != nil && (suite.Name == rec.Dataset || e.renamed) {
			return c, true
		}
	}
	suite := e.suites[rec.EvalFile]
	if suite == nil {
		return nil, len(e.named) > 0
	}
	return suite.Case(rec.EvalID), true
}

func (s *session) printFlips(flips []run.Flip, left int, format string) error {
	switch format {
	case "jsonl":
		var records []run.Record
		for _, f := range flips {
			records = append(records, f.Record)
		}
		return reportOf(records).JSONL(s.stdout)
	case "json":
		return writeJSON(s.stdout, map[string]any{"cases": append([]run.Flip{}, flips...), "flips": countFlips(flips), "not_in_files": left})
	}
	var out strings.Builder
	for _, f := range flips {
		mark := "     "
		if f.Flips {
			mark = "flips"
		}
		fmt.Fprintf(&out, "%s  %-10s → %-10s  %s → %s  %s\n", mark, f.Was, f.Is, report.Score(f.First), report.Score(f.Second), cell(f.ID))
		if f.Moved {
			out.WriteString("         what is asked for is another now: the answer is to an older case\n")
		}
		for _, criterion := range f.StaleWords {
			fmt.Fprintf(&out, "         %s: it asks for something else now, or was not judged\n", cell(criterion))
		}
	}
	fmt.Fprintf(&out, "%d of %s\n", countFlips(flips), plural(len(flips), "verdict")+" flip")
	if left > 0 {
		fmt.Fprintf(&out, "%s of the run no longer in the files\n", plural(left, "case"))
	}
	_, err := io.WriteString(s.stdout, out.String())
	return err
}

func countFlips(flips []run.Flip) (n int) {
	for _, f := range flips {
		if f.Flips {
			n++
		}
	}
	return n
}
