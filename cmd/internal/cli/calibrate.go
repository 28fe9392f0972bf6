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

var calibrateVerb = verb{
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
		o.asking(flags)
		return func(s *session, args []string) int {
			o.given(flags)
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
		return s.refuse("name one eval file")
	case o.format != "text" && o.format != "json":
		return s.refuse("--format is `text` or `json`, not `%s`", o.format)
	case !(o.minKappa >= -1 && o.minKappa <= 1):
		return s.refuse("--min-kappa is from -1 to 1, not %v", o.minKappa)
	case o.results != "" && (o.targeted || o.judged || o.sampled || o.replay != "" || o.record != ""):
		return s.refuse("--run has the judge's grades already: leave out --target, --judge, --samples, --replay and --record")
	}
	defer s.interruptible()()
	o.box = o.sandbox()
	defer o.box.Close()
	var labels []rubric.Label
	var graded func(*session) ([]run.Record, int)
	if code := s.unlessInterrupted(func(s *session) (code int) {
		if labels, code = s.labels(args[0], o.labels); code == exitOK {
			graded, code = s.grader(args, o)
		}
		return code
	}); code != exitOK {
		return code
	}
	records, code := graded(s)
	if code > exitFindings {
		return code
	}
	found := calibrate.Of(records, labels)
	if len(found.Unmatched) == len(labels) {
		return s.refuse("no label is for a grade; the first is of `%s`%s", found.Unmatched[0], ungradedAll(records))
	}
	write := func() error { return writeCalibration(s.stdout, found) }
	if o.format == "json" {
		write = func() error { return writeJSON(s.stdout, found) }
	}
	if err := write(); err != nil {
		return s.refuse("write the result: %s", err)
	}
	if below := found.Below(o.minKappa); len(below) > 0 && o.minKappa > -1 {
		var names []string
		for _, c := range below {
			kappa := "no grades"
			if c.Kappa != nil {
				kappa = fmt.Sprintf("%.3f", c.Kappa.Value)
			}
			names = append(names, fmt.Sprintf("`%s` (%s)", cell(c.Words()), kappa))
		}
		fmt.Fprintf(s.stderr, "rubric: below the kappa of %v: %s\n", o.minKappa, diag.Listed(names, "and"))
		return exitFindings
	}
	return code
}

// ungradedAll says why no case was graded; "" where one was.
func ungradedAll(records []run.Record) (why string) {
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

// labels reads the labels of an eval file.
func (s *session) labels(evalFile, path string) ([]rubric.Label, int) {
	read := host.ReadArgument
	if path == "" {
		read = host.Read
		if !host.Exists(evalFile) {
			return nil, s.refuse("%s: no such file or folder", evalFile)
		}
		path = filepath.Join(filepath.Dir(evalFile), agentv.LabelsOf(evalFile))
	}
	body, err := read(path)
	if err != nil {
		return nil, s.refuse("the labels: %s; `rubric calibrate --help` shows how they are written", err)
	}
	a := analysis.Of(host.Input(path, body))
	if faults := only(diag.Error, a.Diagnostics()); len(faults) > 0 && a.Role() == agentv.Labels {
		s.show(a, faults)
		return nil, s.refuse("%s has %s", path, plural(len(faults), "error"))
	}
	labels := agentv.ReadLabels(a.Tree())
	if len(labels) == 0 {
		return nil, s.refuse("%s holds no labels", path)
	}
	return labels, exitOK
}

// grader gives the records of --run, or those of a run that begins when it is called.
func (s *session) grader(files []string, o *calibrateOptions) (func(*session) ([]run.Record, int), int) {
	if o.results != "" {
		records, err := host.Results(host.FileOf(o.results))
		if err == nil {
			records, err = s.ofFile(records, files[0], o.cases)
		}
		if err != nil {
			return nil, s.refuse("%s", err)
		}
		return func(*session) ([]run.Record, int) { return records, exitOK }, exitOK
	}
	if err := o.faults(files); err != nil {
		return nil, s.refuse("%s", err)
	}
	o.whole = true
	var result report.Report
	suites, doors, code := s.prepare(files, &o.runOptions, &result)
	if code != exitOK {
		return nil, code
	}
	return func(s *session) ([]run.Record, int) {
		defer doors.close()
		var all []run.Record
		for _, suite := range suites {
			records, err := s.runSuite(suite, &book{}, &o.runOptions)
			if err != nil {
				return nil, s.refuse("%s", err)
			}
			all = append(all, records...)
		}
		doors.tell(s.stderr)
		if result.Notice != "" {
			fmt.Fprintf(s.stderr, "rubric: %s\n", result.Notice)
		}
		return away(all, s)
	}, exitOK
}

// away are the records of a run that was not kept from judging.
func away(records []run.Record, s *session) ([]run.Record, int) {
	for _, rec := range records {
		if rec.Unreachable {
			return nil, s.unable(fmt.Errorf("`%s`: %s: %w", rec.EvalID, strings.Join(rec.Told().Reasons, "; "), judge.ErrUnreachable))
		}
	}
	if s.ctx.Err() != nil {
		return records, exitFindings
	}
	return records, exitOK
}

// ofFile are the records of an eval file's cases, of all or of those that patterns name. It
// says how many have changed since.
func (s *session) ofFile(records []run.Record, evalFile string, patterns []string) (of []run.Record, err error) {
	suite, err := suiteOf(evalFile)
	if err == nil {
		err = matched(suite.Cases, patterns)
	}
	if err != nil {
		return nil, err
	}
	moved, keep := 0, run.Only(patterns...)
	for _, rec := range records {
		c := suite.Case(rec.EvalID)
		if c == nil || !keep(c) || rec.Dataset != "" && rec.Dataset != suite.Name {
			continue
		}
		if of = append(of, rec); rec.CaseFingerprint != "" && c.Fingerprint() != rec.CaseFingerprint {
			moved++
		}
	}
	if moved > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s of the run changed in %s since\n", plural(moved, "case"), evalFile)
	}
	return of, nil
}
