package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

var rescoreCommand = command{
	name:    "rescore",
	args:    "RUN [FILE…]",
	summary: "Score a stored run again by the current rubric",
	example: "rubric rescore main.jsonl\nrubric rescore main.jsonl my.eval.yaml --profile agentv\nrubric rescore main.jsonl --format jsonl > rescored.jsonl",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		settings := &run.Settings{}
		declareOptions(flags, settings, "profile")
		settings.Profile, flags.Lookup("profile").DefValue = "", "the run's"
		var format string
		formatVar(flags, &format, append(slices.Clone(resultFormats), "jsonl")...)
		return func(s *session, args []string) error { return s.rescore(args, settings.Profile, format) }
	},
}

func (s *session) rescore(args []string, profile score.Profile, format string) error {
	path := resultstore.FindRunFile(args[0])
	records, err := resultstore.ReadResults(path)
	if err != nil {
		return err
	}
	current, err := loadEvalFiles(records, path, args[1:])
	if err != nil {
		return err
	}
	result := Rescored{Cases: []run.RescoredCase{}}
	var unknown, measured int // cases scored with the stored rubric, and measured cases
	for _, rec := range records {
		var c *rubric.Case
		suites, isKnown := current.suitesOf(rec)
		for _, suite := range suites {
			c = cmp.Or(c, caseOf(suite, rec))
		}
		switch {
		case rec.HasMetrics():
			measured++
		case !isKnown:
			unknown++
		case len(suites) == 0:
			result.OfOtherFiles++
			continue
		case c == nil:
			result.NotInFiles++
			continue
		}
		rescored := run.RescoreCase(rec, c, profile)
		if result.Cases = append(result.Cases, rescored); rescored.VerdictChanged {
			result.Flips++
		}
	}
	if unknown > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s scored by the rubric stored in the results; name the eval file to use the current one\n", diag.CountNoun(unknown, "case"))
	}
	if measured > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s measured by ADK metrics, shown unchanged; `rubric run EVALSET --recorded FILE` measures recorded conversations again and reuses cached judgements\n", diag.CountNoun(measured, "case"))
	}
	if format == "jsonl" {
		s.printNotes(result.skipped())
		err = storedReport(generic.Map(result.Cases, func(f run.RescoredCase) run.Record { return f.Record })).JSONL(s.stdout)
	} else {
		err = s.printResult(format, result, result.summary())
	}
	if err != nil || result.Flips == 0 {
		return err
	}
	return exitFindings
}

// caseOf returns the case of a record: of several with its id, such as those of scenarios, the one with its question.
func caseOf(suite *rubric.Suite, rec run.Record) *rubric.Case {
	for _, c := range suite.Cases {
		if c.ID == rec.EvalID && c.Question == rec.Question {
			return c
		}
	}
	return suite.Case(rec.EvalID)
}

// Rescored is the result of `rubric rescore --format json`.
type Rescored struct {
	Cases        []run.RescoredCase `json:"cases"`
	Flips        int                `json:"flips"`          // cases whose verdict changes
	NotInFiles   int                `json:"not_in_files"`   // cases that no file has now
	OfOtherFiles int                `json:"of_other_files"` // cases of files that were not named
}

// skipped describes the cases that are not rescored because no requested file has them.
func (r Rescored) skipped() (all []string) {
	if r.NotInFiles > 0 {
		all = append(all, diag.CountNoun(r.NotInFiles, "case")+" of the run no longer in the files")
	}
	if r.OfOtherFiles > 0 {
		all = append(all, diag.CountNoun(r.OfOtherFiles, "case")+" of the run in files that you did not name")
	}
	return all
}

// summary lists the cases whose verdict changes.
func (r Rescored) summary() report.Summary {
	s := report.Summary{Title: fmt.Sprintf("%d of %d verdicts flip", r.Flips, len(r.Cases)), Lines: r.skipped()}
	cases := corereport.Table{Rows: [][]string{{"case", "verdict", "score", "why"}}}
	for _, f := range r.Cases {
		if f.CaseChanged {
			s.Lines = append(s.Lines, fmt.Sprintf("`%s` has changed: the answer is to its older version", f.ID))
		}
		for _, criterion := range f.StaleLabels {
			s.Lines = append(s.Lines, fmt.Sprintf("`%s`: %s: its text has changed, or it was not judged", f.ID, criterion))
		}
		check := report.Check{Group: "rescore", Name: f.ID, State: report.Passed, File: f.Record.EvalFile}
		if f.VerdictChanged {
			verdicts := fmt.Sprintf("%s → %s", f.OldVerdict, f.NewVerdict)
			why := strings.Join(corereport.FailureReasons(f.Record.WithLabels()), "; ")
			cases.Rows = append(cases.Rows, []string{"`" + f.ID + "`", verdicts, corereport.ScoreOf(f.OldScore) + " → " + corereport.ScoreOf(f.NewScore), why})
			check.State, check.Message = report.Failed, strings.TrimSuffix(verdicts+": "+why, ": ")
		}
		s.Checks = append(s.Checks, check)
	}
	s.Tables = []corereport.Table{cases}
	return s
}

// evalFiles finds the eval file and case of a stored record.
type evalFiles struct {
	suites map[string]*rubric.Suite
	named  []namedEvalFile // from the command line; if any, they replace the results' own files
	// renamed means that the only named file has a name that no result contains. All
	// results then belong to it.
	renamed bool
}

// A namedEvalFile is an eval file from the command line.
type namedEvalFile struct {
	*rubric.Suite
	resultNames []string // names of this file in the results
}

// newNamedEvalFile finds the names that a file has in results.
func newNamedEvalFile(suite *rubric.Suite, path, results string, records []run.Record) namedEvalFile {
	f, seen := namedEvalFile{Suite: suite}, map[string]bool{"": true}
	for _, rec := range records {
		if !seen[rec.EvalFile] && disk.SameFile(resultstore.ResolveEvalFile(rec.EvalFile, results), path) {
			f.resultNames = append(f.resultNames, rec.EvalFile)
		}
		seen[rec.EvalFile] = true
	}
	return f
}

// matches reports whether a record belongs to the file: by path, or by dataset name if
// the results do not name the file.
func (f namedEvalFile) matches(rec run.Record, renamed bool) bool {
	if len(f.resultNames) > 0 && rec.EvalFile != "" {
		return slices.Contains(f.resultNames, rec.EvalFile)
	}
	return f.Name == rec.Dataset || renamed
}

// loadEvalFiles reads the named eval files, or else those that the records name. Their
// paths are relative to the working directory or to the results.
func loadEvalFiles(records []run.Record, results string, names []string) (*evalFiles, error) {
	all := &evalFiles{suites: map[string]*rubric.Suite{}}
	for _, name := range names {
		suite, err := readSuite(name)
		if err != nil {
			return nil, err
		}
		all.named = append(all.named, newNamedEvalFile(suite, name, results, records))
	}
	all.renamed = len(all.named) == 1 && !slices.ContainsFunc(records, func(rec run.Record) bool { return rec.Dataset == all.named[0].Name })
	for _, rec := range records {
		name := rec.EvalFile
		if _, read := all.suites[name]; read || name == "" || len(names) > 0 || rec.HasMetrics() {
			continue
		}
		suite, err := readSuite(resultstore.ResolveEvalFile(name, results))
		if err != nil {
			return nil, fmt.Errorf("%w; name the eval file after the results file", err)
		}
		all.suites[name] = suite
	}
	return all, nil
}

func readSuite(path string) (*rubric.Suite, error) {
	body, err := disk.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := analysis.Of(host.NewInput(path, body))
	if a.ADK() != adk.None {
		return nil, fmt.Errorf("%s is an ADK file; its metrics have no rubric to rescore with; measure recorded conversations again with `rubric run EVALSET --recorded FILE`", path)
	}
	suite := a.Suite()
	if len(suite.Cases) == 0 {
		return nil, fmt.Errorf("%s has no cases", path)
	}
	return suite, nil
}

// suitesOf returns the suites that may have the case of a record: those of the named files that it belongs to,
// or that of its own file. It reports whether its file is known.
func (e *evalFiles) suitesOf(rec run.Record) (suites []*rubric.Suite, isKnown bool) {
	for _, n := range e.named {
		if n.matches(rec, e.renamed) {
			suites = append(suites, n.Suite)
		}
	}
	if suite := e.suites[rec.EvalFile]; suite != nil {
		suites = append(suites, suite)
	}
	return suites, len(e.named) > 0 || len(suites) > 0
}
