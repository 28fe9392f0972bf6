package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// defaultWithin is half the width of an interval for which labels are counted.
const defaultWithin = 0.1

var calibrateCommand = command{
	name:    "calibrate",
	args:    "FILE",
	summary: "Measure how a judge agrees with people's grades",
	example: "rubric calibrate my.eval.yaml --run results.jsonl\nrubric calibrate my.eval.yaml --judge openai:gpt-4.1-mini --min-kappa 0.6\nrubric calibrate my.eval.yaml --run new.jsonl --since last.json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &calibrateOptions{}
		flags.StringVar(&o.results, "run", "", "use the results of the run `RESULTS` instead of judging now")
		flags.StringVar(&o.labels, "labels", "", "read the labels from `FILE` (default: the labels file next to the eval file)")
		flags.BoolVar(&o.pin, "pin", false, "write into the labels file that its labels are for the answers of this run")
		flags.Float64Var(&o.minKappa, "min-kappa", -1, "require `KAPPA` of each criterion; -1 requires none")
		flags.Float64Var(&o.within, "within", defaultWithin, "count the labels that narrow the interval to plus or minus `SHARE`")
		flags.StringVar(&o.since, "since", "", "show what changed since the report in `FILE`, of --format json")
		formatVar(flags, &o.format, resultFormats...)
		flags.StringArrayVar(&o.cases, "case", nil, "select cases by `ID` or pattern (repeatable)")
		declareOptions(flags, &o.Settings, judgingOptions+" "+evalsetOptions)
		flags.BoolVar(&o.trust, "trust", false, "consent to targets and judges that files name")
		return func(s *session, args []string) error { return s.calibrate(args, o) }
	},
}

type calibrateOptions struct {
	runOptions
	results, labels, since string
	pin                    bool
	minKappa, within       float64
}

func (s *session) calibrate(args []string, o *calibrateOptions) error {
	switch {
	case !(o.minKappa >= -1 && o.minKappa <= 1):
		return fmt.Errorf("--min-kappa must be from -1 to 1, not %v", o.minKappa)
	case !(o.within >= 0.005 && o.within <= 0.5):
		return fmt.Errorf("--within must be from 0.005 to 0.5, not %v", o.within)
	case o.results != "" && (o.IsSet("target") || o.IsSet("samples") || o.Replay != "" || o.Record != ""):
		return errors.New("--run already has the judge's grades: leave out --target, --samples, --replay and --record")
	}
	earlier, err := o.readEarlier()
	if err != nil {
		return err
	}
	defer s.handleInterrupts()()
	var file *labelsFile
	collect, err := interruptible(s, func(s *session) (collect func(*session) ([]run.Record, error), err error) {
		if file, err = s.readLabels(args[0], o.labels); err == nil {
			collect, err = s.recordSource(args, o)
		}
		return collect, err
	})
	if err != nil {
		return err
	}
	records, err := collect(s)
	if err != nil {
		return err
	}
	result := calibrate.NewReport(records, file.labels, o.within)
	if len(result.Unmatched) == len(file.labels) {
		return fmt.Errorf("no label matches a grade; the first label is for `%s`%s", result.Unmatched[0], firstUngradedReason(records))
	}
	if o.pin {
		if err := file.pin(result.Pinned); err != nil {
			return err
		}
		result = calibrate.NewReport(records, file.labels, o.within)
	}
	result.SetDrift(earlier)
	if err := s.printResult(o.format, result, calibrationSummary(result, args[0], o.minKappa)); err != nil {
		return err
	}
	if below := result.BelowKappa(o.minKappa); len(below) > 0 && o.minKappa > -1 {
		names := generic.Map(below, func(c calibrate.Criterion) string {
			return fmt.Sprintf("`%s` (%s)", tableCell(c.Label()), describeKappa(c))
		})
		fmt.Fprintf(s.stderr, "rubric: below the kappa of %v: %s\n", o.minKappa, diag.JoinList(names, "and"))
		return exitFindings
	}
	if s.ctx.Err() != nil {
		return exitInterrupted
	}
	if !slices.ContainsFunc(result.Criteria, func(c calibrate.Criterion) bool { return c.N > 0 }) {
		s.printNote("no label was compared, because the judge graded none, or each is stale or a tie")
		return exitUnreachable
	}
	return nil
}

// readEarlier returns the report of --since, or an empty one.
func (o *calibrateOptions) readEarlier() (earlier calibrate.Report, err error) {
	if o.since == "" {
		return earlier, nil
	}
	body, err := disk.ReadArgument(o.since)
	if err != nil {
		return earlier, err
	}
	if err := json.Unmarshal([]byte(body), &earlier); err != nil || len(earlier.Criteria) == 0 {
		return earlier, fmt.Errorf("%s is not a report; write one with rubric calibrate --format json", o.since)
	}
	return earlier, nil
}

// firstUngradedReason returns the reason of the first record if no record was graded, or
// "".
func firstUngradedReason(records []run.Record) (why string) {
	for _, rec := range records {
		if rec.Error == "" {
			return ""
		}
		why = cmp.Or(why, "; nothing was graded: "+rec.Error)
	}
	return why
}

type labelsFile struct {
	path   string
	tree   *yaml.Tree
	labels []rubric.Label
}

// pin writes the fingerprints of labels into the file, but for those that have their own. The file's labels then
// are for any answer.
func (f *labelsFile) pin(labels []rubric.Label) error {
	labels = slices.DeleteFunc(labels, func(l rubric.Label) bool { return l.IsRecorded })
	if len(labels) == 0 {
		return nil
	}
	generic.SortStable(labels, func(a, b rubric.Label) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	first := map[[2]string]int{} // of each case and criterion
	for i, l := range labels {
		for _, key := range [][2]string{{l.Case}, {l.Case, l.Criterion}} {
			if _, known := first[key]; !known {
				first[key] = i
			}
		}
	}
	generic.SortStable(labels, func(a, b rubric.Label) int {
		return cmp.Or(first[[2]string{a.Case}]-first[[2]string{b.Case}], first[[2]string{a.Case, a.Criterion}]-first[[2]string{b.Case, b.Criterion}])
	})
	body, err := agentv.PinLabels(f.tree, labels)
	if err == nil {
		err = disk.WriteText(f.path, body)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	for i, l := range f.labels {
		if !l.IsRecorded {
			f.labels[i].Fingerprint = ""
		}
	}
	return nil
}

// readLabels reads the labels of an eval file, of which there must be some.
func (s *session) readLabels(evalFile, path string) (*labelsFile, error) {
	f, err := s.openLabels(evalFile, path)
	if err == nil && len(f.labels) == 0 {
		return nil, fmt.Errorf("%s contains no labels", f.path)
	}
	return f, err
}

// labelsPath returns path, or that of the labels file next to an eval file if it is "".
func labelsPath(evalFile, path string) string {
	sibling := filepath.Join(filepath.Dir(evalFile), agentv.LabelsFileName(evalFile))
	if yml := strings.TrimSuffix(sibling, "yaml") + "yml"; disk.Exists(yml) && !disk.Exists(sibling) {
		sibling = yml
	}
	return cmp.Or(path, sibling)
}

// openLabels reads the labels file of an eval file. Path is that of the labels file, or "".
func (s *session) openLabels(evalFile, path string) (*labelsFile, error) {
	read := disk.ReadArgument
	if path == "" {
		read = disk.ReadFile
		if !disk.Exists(evalFile) {
			return nil, fmt.Errorf("%s: no such file or folder", evalFile)
		}
		path = labelsPath(evalFile, "")
	}
	body, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("labels: %s; `rubric %s --help` shows the format", err, s.command)
	}
	tree, faults := s.checkLabels(evalFile, path, body)
	if faults > 0 {
		return nil, fmt.Errorf("%s has %s", path, diag.CountNoun(faults, "error"))
	}
	return &labelsFile{path, tree, agentv.ReadLabels(tree)}, nil
}

// checkLabels prints the errors of a text as the labels of an eval file, whatever the name of their file.
func (s *session) checkLabels(evalFile, path, body string) (tree *yaml.Tree, faults int) {
	in := host.NewInput(labelsPath(evalFile, ""), body)
	in.EvalFile = filepath.Base(evalFile)
	a := analysis.Of(in)
	errors := withSeverity(diag.Error, a.Diagnostics())
	s.printDiagnostics(text.New(path, body), errors)
	return a.Tree(), len(errors)
}

// readLabelledSuite is [readSuite], and also reads an ADK file.
func (s *session) readLabelledSuite(path string) (*rubric.Suite, error) {
	set, _, err := s.openFile(path)
	if set == nil || err != nil {
		return readSuite(path)
	}
	if set.file.Role == adk.Results {
		return adk.LowerResults(metric.Latest, set.file).Evaluation(nil).Suite, nil
	}
	suite := adk.LowerSet(metric.Latest, set.file).Evaluation(nil).Suite
	set.setDefaultName(suite)
	return suite, nil
}

// ofOneJudge returns the records of the judge that --judge names, or all if they have one judge.
func (o *calibrateOptions) ofOneJudge(records []run.Record) ([]run.Record, error) {
	var judges []string
	for _, rec := range records {
		judges = generic.AppendNew(judges, rec.Judge)
	}
	names := diag.JoinList(diag.Backtick(judges), "and")
	if !o.IsSet("judge") {
		if run.FindVaried(records).Judge != "" {
			return nil, fmt.Errorf("%s has grades of several judges, %s; choose one with --judge", o.results, names)
		}
		return records, nil
	}
	wanted := strings.Join(o.Judges, run.PanelSeparator)
	if len(judges) > 0 && !slices.Contains(judges, wanted) {
		return nil, fmt.Errorf("%s has no grades of the judge `%s`, but of %s", o.results, wanted, names)
	}
	return slices.DeleteFunc(records, func(rec run.Record) bool { return rec.Judge != wanted }), nil
}

// recordSource returns a function that returns the records of --run, or those of a run
// that it starts.
func (s *session) recordSource(files []string, o *calibrateOptions) (func(*session) ([]run.Record, error), error) {
	if o.results != "" {
		records, _, err := s.recordsOfFile(o.results, files[0], o.cases)
		if err == nil {
			records, err = o.ofOneJudge(records)
		}
		if err != nil {
			return nil, err
		}
		return func(*session) ([]run.Record, error) { return records, nil }, nil
	}
	if err := o.validate(files); err != nil {
		return nil, err
	}
	o.needAllCases = true
	backends, err := s.prepare(files, &o.runOptions)
	if err != nil {
		return nil, err
	}
	return func(s *session) ([]run.Record, error) {
		defer backends.close()
		labelled := *s
		labelled.ctx = judge.WithTrial(s.ctx, -1) // people grade the best
		var all []run.Record
		usedOffline := false
		for _, suite := range backends.suites {
			err := labelled.runSuite(suite, &run.Resume{}, &o.runOptions, func(e run.Event) error {
				usedOffline = usedOffline || usesOfflineJudge(e.Record.Graders)
				all = append(all, *e.Record)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		backends.printNotes(s.stderr)
		if usedOffline {
			s.printNote(offline.Notice)
		}
		for _, rec := range all {
			if rec.Unreachable {
				return nil, fmt.Errorf("`%s`: %s: %w", rec.EvalID, strings.Join(rec.WithLabels().Reasons, "; "), judge.ErrUnreachable)
			}
		}
		return all, nil
	}, nil
}

// recordsOfFile returns the records in results of an eval file's cases that match the patterns, and the
// file's suite. It reports how many cases have changed since.
func (s *session) recordsOfFile(results, evalFile string, patterns []string) (matching []run.Record, suite *rubric.Suite, err error) {
	records, err := resultstore.ReadResults(resultstore.FindRunFile(results))
	if err == nil {
		suite, err = s.readLabelledSuite(evalFile)
	}
	if err == nil {
		err = checkCasePatterns(suite.Cases, patterns)
	}
	if err != nil {
		return nil, nil, err
	}
	changed, selects := 0, run.MatchIDs(patterns...)
	file := newNamedEvalFile(suite, evalFile, results, records)
	for _, rec := range records {
		c := suite.Case(rec.EvalID)
		if c == nil || !selects(c) || !file.matches(rec, rec.Dataset == "") {
			continue
		}
		if matching = append(matching, rec); rec.CaseFingerprint != "" && suite.Dialect != adk.Name && c.Fingerprint() != rec.CaseFingerprint {
			changed++
		}
	}
	if changed > 0 {
		fmt.Fprintf(s.stderr, "rubric: %s of the run changed in %s since then\n", diag.CountNoun(changed, "case"), evalFile)
	}
	return matching, suite, nil
}
