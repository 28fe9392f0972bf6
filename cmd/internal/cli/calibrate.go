package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/yaml"
)

var calibrateCommand = command{
	name:    "calibrate",
	args:    "FILE",
	summary: "compare a judge's grades with people's, criterion by criterion",
	long: `People's grades are in a labels file next to the eval file, such as
support.labels.yaml for support.eval.yaml, or in the file that --labels names:

  labels:
    refund-window:        # a case's id
      window: true        # a criterion's id: satisfied or not, or a score of 0 to 10
      tone: { score: 7, note: curt at the end, by: Kim }

The judge's grades come from --run, the results of an earlier run. Without --run, the
answers of --target are judged now, as in rubric run. They must be the answers that
the people graded. --pin writes into the labels file what the labels are for: fingerprints
of question, criterion and answer. A label whose fingerprint differs is stale: it is listed
and not counted.

The report shows for each criterion the number of grades compared, the share of equal
grades, Cohen's kappa with its 95 % confidence interval, and who found the criterion
satisfied. Kappa is left out if all grades are equal or if one side always gives the
same grade. For scores, kappa has quadratic weights, and the mean absolute error is
shown. Criteria that a judge always grades alike do not distinguish cases; they are
listed.

Exit status: 0; 1 a kappa is below --min-kappa or missing because the judge never
graded the criterion or all its labels are stale, or the run was interrupted; 2 usage, or labels that match
nothing; 3 a judge or target could not be reached.`,
	example: "rubric calibrate my.eval.yaml --run results.jsonl\nrubric calibrate my.eval.yaml --target answers.jsonl --judge openai:gpt-4.1-mini --min-kappa 0.6",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &calibrateOptions{}
		flags.StringVar(&o.results, "run", "", "use the results of an earlier run instead of judging now")
		flags.StringVar(&o.labels, "labels", "", "the labels file (default: the one next to the eval file)")
		flags.BoolVar(&o.pin, "pin", false, "write into the labels file that its labels are for the answers of this run")
		flags.Float64Var(&o.minKappa, "min-kappa", -1, "exit with status 1 if the kappa of a criterion is lower")
		flags.StringVar(&o.format, "format", "text", "output format: text or json")
		flags.StringArrayVar(&o.cases, "case", nil, "select cases by id or pattern (repeatable)")
		declareOptions(flags, &o.Settings, judgingOptions)
		flags.BoolVar(&o.trust, "trust", false, "consent to the targets and judges that files name, for this run")
		return func(s *session, args []string) int { return s.calibrate(args, o) }
	},
}

type calibrateOptions struct {
	runOptions
	results, labels string
	pin             bool
	minKappa        float64
}

func (s *session) calibrate(args []string, o *calibrateOptions) int {
	switch {
	case len(args) != 1:
		return s.commandError("name one eval file")
	case o.format != "text" && o.format != "json":
		return s.commandError("--format must be `text` or `json`, not `%s`", o.format)
	case !(o.minKappa >= -1 && o.minKappa <= 1):
		return s.commandError("--min-kappa must be from -1 to 1, not %v", o.minKappa)
	case o.results != "" && (o.IsSet("target") || o.IsSet("judge") || o.IsSet("samples") || o.Replay != "" || o.Record != ""):
		return s.commandError("--run already has the judge's grades: leave out --target, --judge, --samples, --replay and --record")
	}
	defer s.handleInterrupts()()
	var file *labelsFile
	var collect func(*session) ([]run.Record, int)
	if code := s.runInterruptible(func(s *session) (code int) {
		if file, code = s.readLabels(args[0], o.labels); code == exitOK {
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
	result := calibrate.NewReport(records, file.labels)
	if len(result.Unmatched) == len(file.labels) {
		return s.commandError("no label matches a grade; the first label is for `%s`%s", result.Unmatched[0], firstUngradedReason(records))
	}
	if o.pin {
		if err := file.pin(result.Pinned); err != nil {
			return s.commandError("%s", err)
		}
		for i := range file.labels {
			file.labels[i].Fingerprint = ""
		}
		result = calibrate.NewReport(records, file.labels)
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

// firstUngradedReason returns the reason of the first record if no record was graded, or
// "".
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

// A labelsFile is a labels file with its labels.
type labelsFile struct {
	path   string
	tree   *yaml.Tree
	labels []rubric.Label
}

// pin writes the fingerprints of labels into the file.
func (f *labelsFile) pin(labels []rubric.Label) error {
	slices.SortStableFunc(labels, func(a, b rubric.Label) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	body, err := agentv.PinLabels(f.tree, labels)
	if err == nil {
		err = disk.WriteFile(f.path, func(w io.Writer) error { _, err := io.WriteString(w, body); return err })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return nil
}

// readLabels reads the labels of an eval file.
func (s *session) readLabels(evalFile, path string) (*labelsFile, int) {
	read := disk.ReadArgument
	if path == "" {
		read = disk.ReadFile
		if !disk.Exists(evalFile) {
			return nil, s.commandError("%s: no such file or folder", evalFile)
		}
		path = filepath.Join(filepath.Dir(evalFile), agentv.LabelsFileName(evalFile))
	}
	body, err := read(path)
	if err != nil {
		return nil, s.commandError("labels: %s; `rubric calibrate --help` shows the format", err)
	}
	a := analysis.Of(host.NewInput(path, body))
	if faults := withSeverity(diag.Error, a.Diagnostics()); len(faults) > 0 && a.Role() == agentv.Labels {
		s.printDiagnostics(a, faults)
		return nil, s.commandError("%s has %s", path, diag.CountNoun(len(faults), "error"))
	}
	labels := agentv.ReadLabels(a.Tree())
	if len(labels) == 0 {
		return nil, s.commandError("%s contains no labels", path)
	}
	return &labelsFile{path, a.Tree(), labels}, exitOK
}

// recordSource returns a function that returns the records of --run, or those of a run
// that it starts.
func (s *session) recordSource(files []string, o *calibrateOptions) (func(*session) ([]run.Record, int), int) {
	if o.results != "" {
		records, err := resultstore.ReadResults(resultstore.FindRunFile(o.results))
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
			err := s.runSuite(suite, &run.Resume{}, &o.runOptions, func(rec *run.Record) error {
				all = append(all, *rec)
				return nil
			})
			if err != nil {
				return nil, s.commandError("%s", err)
			}
		}
		backends.printNotes(s.stderr)
		if result.Notice != "" {
			fmt.Fprintf(s.stderr, "rubric: %s\n", result.Notice)
		}
		return checkReachable(all, s)
	}, exitOK
}

// checkReachable returns the records, or an error status if a judge or target could not
// be reached.
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

// recordsOfFile returns the records of an eval file's cases that match the patterns. It
// reports how many cases have changed since.
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
		fmt.Fprintf(s.stderr, "rubric: %s of the run changed in %s since then\n", diag.CountNoun(changed, "case"), evalFile)
	}
	return matching, nil
}

// writeCalibration writes the report as text: one line for each criterion, then remarks.
func writeCalibration(w io.Writer, r calibrate.Report) error {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CRITERION\tN\tEQUAL\tKAPPA\t95 %\tSATISFIED")
	rows := r.Criteria
	for _, overall := range []*calibrate.Criterion{r.Checks, r.Scores} {
		if overall != nil {
			rows = append(rows, *overall)
		}
	}
	for _, c := range rows {
		if c.N == 0 {
			continue
		}
		kappa, bounds := "-", "-"
		if k := c.Kappa; k != nil {
			kappa = fmt.Sprintf("%.3f", k.Value)
			if k.Interval != nil {
				bounds = fmt.Sprintf("%.2f to %.2f", k.Low, k.High)
			}
		}
		fmt.Fprintf(table, "%s\t%d\t%.0f%%\t%s\t%s\t%s\n", tableCell(c.Label()), c.N, c.Accuracy*100, kappa, bounds, describeGrades(c))
	}
	table.Flush()
	for _, c := range r.Criteria {
		for _, remark := range remarks(c) {
			fmt.Fprintf(&out, "%s: %s\n", tableCell(c.Label()), remark)
		}
	}
	for _, label := range r.Unmatched {
		fmt.Fprintf(&out, "%s: no grade matches this label\n", tableCell(label))
	}
	for _, label := range r.Stale {
		fmt.Fprintf(&out, "%s: the label is stale and not counted: the question, the criterion or the answer has changed since\n", tableCell(label))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// describeGrades describes the grades of judge and people.
func describeGrades(c calibrate.Criterion) string {
	if c.Ranged {
		return fmt.Sprintf("mean absolute error %.2f", *c.Error)
	}
	t := c.Table
	return fmt.Sprintf("both %d, only the judge %d, only people %d, neither %d", t.Both, t.JudgeOnly, t.HumanOnly, t.Neither)
}

// remarks returns notes that the figures of a criterion do not show.
func remarks(c calibrate.Criterion) (remarks []string) {
	if c.N > 0 && c.Kappa == nil {
		remarks = append(remarks, "kappa is undefined: both gave only one grade")
	}
	if c.Constant != "" {
		remarks = append(remarks, "it does not distinguish cases: "+c.Constant)
	}
	if c.Texts > 0 {
		remarks = append(remarks, fmt.Sprintf("%d criteria with different texts have this id", c.Texts))
	}
	if c.Ungraded > 0 {
		remarks = append(remarks, fmt.Sprintf("the judge did not grade %s", diag.CountNoun(c.Ungraded, "label")))
	}
	return remarks
}
