package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

var calibrateCommand = command{
	name:    "calibrate",
	args:    "FILE",
	summary: "how a judge agrees with people's grades, criterion by criterion",
	long: `People's grades of the answers stand beside the eval file: support.labels.yaml
beside support.eval.yaml, say, or in the file that --labels names:

  labels:
    refund-window:        # a case's id
      window: true        # a criterion's id: satisfied or not, or a score of 0 to 10
      tone: { score: 7, note: curt at the end, by: Kim }

The judge's grades are those of --run, the results of an earlier run; without, the
answers of --target are judged now, as by rubric run. They have to be the answers
that the people graded.

For each criterion: how many grades are compared, the share that is equal, Cohen's
kappa with its 95 % confidence interval, unless all agree or one of them always said
the same, and who found it satisfied; for scores kappa with quadratic weights and the
mean absolute error. Criteria that a judge always grades alike tell no case from
another, and are named.

Exit status: 0, 1 a kappa is below --min-kappa, or there is none, as the judge never
graded the criterion, or the run was interrupted, 2 usage, or labels that fit nothing,
3 a judge or target could not be reached.`,
	example: "rubric calibrate my.eval.yaml --run results.jsonl\nrubric calibrate my.eval.yaml --target answers.jsonl --judge openai:gpt-4.1-mini --min-kappa 0.6",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &calibrateOptions{}
		flags.StringVar(&o.results, "run", "", "the results of an earlier run, instead of judging now")
		flags.StringVar(&o.labels, "labels", "", "the file with the labels, instead of the one beside the eval file")
		flags.Float64Var(&o.minKappa, "min-kappa", -1, "the lowest kappa that no criterion may be below")
		flags.StringVar(&o.format, "format", "text", "how to report: text or json")
		o.declareFlags(flags)
		return func(s *session, args []string) int {
			o.markSetFlags(flags)
			return s.calibrate(args, o)
		}
	},
}

type calibrateOptions struct {
	runOptions
	results, labels string
	minKappa        float64
}

func (s *session) calibrate(args []string, o *calibrateOptions) int {
	switch {
	case len(args) != 1:
		return s.commandError("name one eval file")
	case o.format != "text" && o.format != "json":
		return s.commandError("--format is `text` or `json`, not `%s`", o.format)
	case !(o.minKappa >= -1 && o.minKappa <= 1):
		return s.commandError("--min-kappa is from -1 to 1, not %v", o.minKappa)
	case o.results != "" && (o.targetSet || o.judgesSet || o.samplesSet || o.replay != "" || o.record != ""):
		return s.commandError("--run has the judge's grades already: leave out --target, --judge, --samples, --replay and --record")
	}
	defer s.handleInterrupts()()
	o.sandbox = o.newSandbox()
	defer o.sandbox.Close()
	var labels []rubric.Label
	var collect func(*session) ([]run.Record, int)
	if code := s.runInterruptible(func(s *session) (code int) {
		if labels, code = s.readLabels(args[0], o.labels); code == exitOK {
			collect, code = s.recordSource(args, o)
		}
		return code
	}); code != exitOK {
		return code
	}
	records, code := collect(s)
	if code > exitFindings {
		return code
	}
	result := calibrate.NewReport(records, labels)
	if len(result.Unmatched) == len(labels) {
		return s.commandError("no label is for a grade; the first is of `%s`%s", result.Unmatched[0], firstUngradedReason(records))
	}
	write := func() error { return writeCalibration(s.stdout, result) }
	if o.format == "json" {
		write = func() error { return writeJSON(s.stdout, result) }
	}
	if err := write(); err != nil {
		return s.commandError("write the result: %s", err)
	}
	if below := result.BelowKappa(o.minKappa); len(below) > 0 && o.minKappa > -1 {
		var names []string
		for _, c := range below {
			kappa := "no grades"
			if c.Kappa != nil {
				kappa = fmt.Sprintf("%.3f", c.Kappa.Value)
			}
			names = append(names, fmt.Sprintf("`%s` (%s)", tableCell(c.Label()), kappa))
		}
		fmt.Fprintf(s.stderr, "rubric: below the kappa of %v: %s\n", o.minKappa, diag.JoinList(names, "and"))
		return exitFindings
	}
	return code
}

// firstUngradedReason says why no case was graded; "" where one was.
func firstUngradedReason(records []run.Record) (why string) {
	for _, rec := range records {
		if rec.Error == "" {
			return ""
		}
		if why == "" {
			why = "; nothing was graded: " + rec.Error
		}
	}
	return why
}

// readLabels reads the labels of an eval file.
func (s *session) readLabels(evalFile, path string) ([]rubric.Label, int) {
	read := host.ReadArgument
	if path == "" {
		read = host.ReadFile
		if !host.Exists(evalFile) {
			return nil, s.commandError("%s: no such file or folder", evalFile)
		}
		path = filepath.Join(filepath.Dir(evalFile), agentv.LabelsFileName(evalFile))
	}
	body, err := read(path)
	if err != nil {
		return nil, s.commandError("the labels: %s; `rubric calibrate --help` shows how they are written", err)
	}
	a := analysis.Of(host.NewInput(path, body))
	if faults := withSeverity(diag.Error, a.Diagnostics()); len(faults) > 0 && a.Role() == agentv.Labels {
		s.printDiagnostics(a, faults)
		return nil, s.commandError("%s has %s", path, plural(len(faults), "error"))
	}
	labels := agentv.ReadLabels(a.Tree())
	if len(labels) == 0 {
		return nil, s.commandError("%s holds no labels", path)
	}
	return labels, exitOK
}

// recordSource gives the records of --run, or those of a run that begins when it is called.
func (s *session) recordSource(files []string, o *calibrateOptions) (func(*session) ([]run.Record, int), int) {
	if o.results != "" {
		records, err := host.ReadResults(host.FindRunFile(o.results))
		if err == nil {
			records, err = s.recordsOfFile(records, files[0], o.cases)
		}
		if err != nil {
			return nil, s.commandError("%s", err)
		}
		return func(*session) ([]run.Record, int) { return records, exitOK }, exitOK
	}
	if err := o.validate(files); err != nil {
		return nil, s.commandError("%s", err)
	}
	o.needAllCases = true
	var result report.Report
	suites, backends, code := s.prepare(files, &o.runOptions, &result)
	if code != exitOK {
		return nil, code
	}
	return func(s *session) ([]run.Record, int) {
		defer backends.close()
		var all []run.Record
		for _, suite := range suites {
			records, err := s.gradeSuite(suite, &resumeJournal{}, &o.runOptions)
			if err != nil {
				return nil, s.commandError("%s", err)
			}
			all = append(all, records...)
		}
		backends.printNotes(s.stderr)
		if result.Notice != "" {
			fmt.Fprintf(s.stderr, "rubric: %s\n", result.Notice)
		}
		return checkReachable(all, s)
	}, exitOK
}

// checkReachable are the records of a run that was not kept from judging.
func checkReachable(records []run.Record, s *session) ([]run.Record, int) {
	for _, rec := range records {
		if rec.Unreachable {
			return nil, s.openError(fmt.Errorf("`%s`: %s: %w", rec.EvalID, strings.Join(rec.WithLabels().Reasons, "; "), judge.ErrUnreachable))
		}
	}
	if s.ctx.Err() != nil {
		return records, exitFindings
	}
	return records, exitOK
}

// recordsOfFile are the records of an eval file's cases, of all or of those that patterns name. It
// says how many have changed since.
func (s *session) recordsOfFile(records []run.Record, evalFile string, patterns []string) (matching []run.Record, err error) {
	suite, err := readSuite(evalFile)
	if err == nil {
		err = checkCasePatterns(suite.Cases, patterns)
	}
	if err != nil {
		return nil, err
	}
	changed, selects := 0, run.MatchIDs(patterns...)
	for _, rec := range records {
		c := suite.Case(rec.EvalID)
		if c == nil || !selects(c) || rec.Dataset != "" && rec.Dataset != suite.Name {
			continue
		}
		if matching = append(matching, rec); rec.CaseFingerprint != "" && c.Fingerprint() != rec.CaseFingerprint {
			changed++
		}
	}
	if changed > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s of the run changed in %s since\n", plural(changed, "case"), evalFile)
	}
	return matching, nil
}
