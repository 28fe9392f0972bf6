package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	corereport "github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// A loadedSuite is an eval file that is ready to run.
type loadedSuite struct {
	path       string
	variant    run.Variant        // of several, by the names of options: the target to ask, the prompt, the judge that grades by itself
	prompt     *run.Prompt        // with which the target is asked; nil for the cases as they are
	answers    *run.SharedAnswers // that these judges grade; nil for one
	suite      *rubric.Suite
	evaluation *adk.Evaluation                         // for ADK files, which are measured instead of graded
	profile    metric.Profile                          // ADK version for the metrics
	source     string                                  // of the conversations in ADK files, for records
	run        *run.Run                                // set by openSuites
	stream     *caseStream                             // has the cases if suite does not
	skipOwn    bool                                    // cases that name a target are run with another of the suite's targets
	leftOut    []string                                // ids of the selected cases that have errors
	shard      *suiteShard                             // the part of the cases to run; nil for all
	stored     func(visit func(run.Event) error) error // reads the records that shards have; nil for a run
	lines      map[string]int                          // where the cases begin, by id; for annotations
}

// file describes a run of the suite for [run.Open], with the targets and judges that it and its project
// name.
func (l loadedSuite) file(o *runOptions) (run.File, error) {
	f := run.File{Path: l.path, Name: filepath.ToSlash(l.path), Suite: l.suite, Target: l.variant.Target, Prompt: l.prompt}
	var err error
	if f.Project, err = host.RunSettings(l.path); err != nil {
		return f, err
	}
	if l.evaluation != nil {
		f.Conversations = l.conversations(*l.evaluation)
		return f, f.SetNames(cmp.Or(o.Config, configPathFor(l.path)), nil, nil)
	}
	if l.stream != nil {
		f.CaseTargets, f.GraderJudges = l.stream.named.CaseTargets, l.stream.named.GraderJudges
		return f, f.SetNames(l.path, l.suite.Targets, nil)
	}
	cases, _ := l.selectedCases(o, &err)
	return f, f.SetNames(l.path, l.suite.Targets, slices.Collect(cases))
}

// conversations returns what a run of an ADK file measures.
func (l loadedSuite) conversations(evaluation adk.Evaluation) *run.Conversations {
	return &run.Conversations{
		Source: l.source, Profile: l.profile, Metrics: evaluation.Criteria, Measure: evaluation.MeasureSamples,
		AsksAgent: evaluation.AsksAgent(), User: evaluation.SimulatedUser(), Reuse: evaluation.Reuse,
	}
}

// variants returns the suites to run: with examples in place of cases, or once for each target, prompt and judge.
func variants(suites []loadedSuite, o *runOptions) (all []loadedSuite, err error) {
	if len(o.examples) > 0 {
		suites[0], err = suites[0].withExamples(o)
	} else {
		suites, err = eachTarget(suites, o)
	}
	if err == nil && len(o.Prompts) > 0 {
		if suites, err = eachPrompt(suites, o); err != nil {
			err = fmt.Errorf("--prompt: %w", err)
		}
	}
	if err == nil && o.eachJudge {
		suites, err = eachJudge(suites, o)
	}
	return suites, err
}

// eachTarget returns each suite once for each of its targets.
func eachTarget(suites []loadedSuite, o *runOptions) (all []loadedSuite, err error) {
	for _, suite := range suites {
		file, err := suite.file(o)
		if err != nil {
			return nil, err
		}
		names := file.Settings(o.Settings).Targets
		if suite.evaluation != nil && !suite.evaluation.AsksAgent() || len(names) == 1 {
			all = append(all, suite)
			continue
		}
		for i, name := range names {
			if slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("the target `%s` is named twice", name)
			}
			suite.variant.Target, suite.skipOwn = name, i > 0 && !o.IsSet("target")
			all = append(all, suite)
		}
	}
	return all, nil
}

// eachPrompt returns each suite once for each prompt of the options.
func eachPrompt(suites []loadedSuite, o *runOptions) (all []loadedSuite, err error) {
	var prompts []*run.Prompt
	for _, given := range o.Prompts {
		p, err := readPrompt(given)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(prompts, func(other *run.Prompt) bool { return other.Name == p.Name }) {
			return nil, fmt.Errorf("two prompts have the name `%s`; write one to a file of another name", p.Name)
		}
		prompts = append(prompts, p)
	}
	for _, suite := range suites {
		for _, suite.prompt = range prompts {
			if len(prompts) > 1 {
				suite.variant.Prompt = suite.prompt.Name
			}
			all = append(all, suite)
		}
	}
	return all, nil
}

// maxPromptName is the number of characters of a prompt's text that name it.
const maxPromptName = 40

// readPrompt reads a value of --prompt: a text if it has a placeholder, or else a file.
func readPrompt(given string) (*run.Prompt, error) {
	if strings.Contains(given, "{{") {
		return run.NewPrompt(excerpt.Shorten(given, maxPromptName), given)
	}
	body, err := disk.ReadFile(given)
	if err != nil {
		return nil, fmt.Errorf("it must be a file, or a text that contains {{ input }}: %w", err)
	}
	return run.NewPrompt(filepath.ToSlash(given), body)
}

// eachJudge returns each suite once for each judge, after [eachPrompt]. All of them grade the same answers.
func eachJudge(suites []loadedSuite, o *runOptions) (all []loadedSuite, err error) {
	for i, name := range o.Judges {
		if slices.Contains(o.Judges[:i], name) {
			return nil, fmt.Errorf("the judge `%s` is named twice", name)
		}
	}
	for _, suite := range suites {
		if suite.evaluation != nil && suite.evaluation.AsksAgent() {
			return nil, fmt.Errorf("--each-judge: %s would be talked through with the agent once for each judge; store the conversations with --out NAME.evalset_result.json first, and measure them with --recorded", suite.path)
		}
		suite.answers = &run.SharedAnswers{}
		for _, suite.variant.Judge = range o.Judges {
			all = append(all, suite)
		}
	}
	return all, nil
}

// title names the suite, and what tells it from others of the same file.
func (l loadedSuite) title() string {
	if l.variant == (run.Variant{}) {
		return l.suite.Name
	}
	var varied run.Varied
	varied.Add(l.variant)
	return fmt.Sprintf("%s (%s)", l.suite.Name, varied.Of(l.run.Variant()))
}

// loadSuites reads the files to run. If a selected case has an error, nothing runs unless
// --ignore-errors is given, so that no judge is paid for unintended cases.
func (s *session) loadSuites(files []string, o *runOptions) (suites []loadedSuite, err error) {
	schemas := &host.Schemas{}
	for i, path := range files {
		if slices.ContainsFunc(files[:i], func(other string) bool { return disk.SameFile(path, other) }) {
			continue
		}
		var suite loadedSuite
		fault := diag.CatchPanic(func() { suite, err = s.loadFile(path, schemas, o) })
		if fault != nil {
			return nil, fmt.Errorf("%s: %s", path, fault.Diagnostic(text.Span{}).Message)
		}
		if err != nil {
			return nil, err
		}
		if len(o.tags) > 0 && suite.leaveOutByTags(o) {
			continue
		}
		suites = append(suites, suite)
	}
	if len(suites) == 0 {
		return nil, errors.New("no case has the tags that --tag asks for")
	}
	if err := checkSuitePatterns(suites, o); err != nil {
		return nil, err
	}
	if o.wantsEvalsetResult() && (len(suites) != 1 || suites[0].evaluation == nil) {
		return nil, report.ErrNotMeasured
	}
	if s.command == "run" {
		for _, suite := range suites {
			_, neededBy := run.WithDependencies(suite.suite.Cases, o.selects())
			for _, note := range run.DependencyNotes(neededBy) {
				s.printNote(suite.path + ": " + note)
			}
		}
	}
	return suites, s.noteWarnings(o)
}

// noteWarnings prints how many warnings each file has, unless there are none. It returns an error if they are
// more than --max-warnings.
func (s *session) noteWarnings(o *runOptions) error {
	total := 0
	for _, f := range o.warnings {
		if total += f.count; f.count > 0 && s.command == "run" {
			s.printNote(fmt.Sprintf("%s: %s; see `rubric check %s`", f.path, diag.CountNoun(f.count, "warning"), f.path))
		}
	}
	if s.command == "run" && o.IsSet("max-warnings") && total > o.MaxWarnings {
		return fmt.Errorf("%s, more than --max-warnings %d", diag.CountNoun(total, "warning"), o.MaxWarnings)
	}
	return nil
}

// fileWarnings is the number of warnings in a file.
type fileWarnings struct {
	path  string
	count int
}

func (s *session) loadFile(path string, schemas *host.Schemas, o *runOptions) (loadedSuite, error) {
	if sidecar := host.SidecarPath(path); sidecar != "" {
		body, err := disk.ReadFile(sidecar)
		if err == nil {
			_, _, err = s.analyseValid(host.NewInput(sidecar, body), schemas, (*analysis.Analysis).Suite, func(*rubric.Case) bool { return false }, o)
		}
		if err != nil { // without its settings a run would not do what the files say
			return loadedSuite{}, err
		}
	}
	stream, streamErr := s.streamCases(path, schemas, o)
	if stream != nil {
		return loadedSuite{path: path, suite: stream.suite, stream: stream}, nil
	}
	if s.ctx.Err() != nil {
		return loadedSuite{}, s.ctx.Err()
	}
	set, body, err := s.openFile(path)
	if err != nil {
		return loadedSuite{}, fmt.Errorf("%s%s", err, tooLargeHint(path, err, streamErr))
	}
	if set != nil {
		return s.loadEvalset(set, schemas, o)
	}
	if flag := evalsetFlag(&o.Settings); flag != "" {
		return loadedSuite{}, fmt.Errorf("%s applies only to ADK files, and %s is not one", flag, path)
	}
	in := host.NewInput(path, body)
	in.ForRun = true
	a, errs, err := s.analyseValid(in, schemas, (*analysis.Analysis).Suite, o.selects(), o)
	if err != nil {
		return loadedSuite{}, err
	}
	suite := loadedSuite{path: path, lines: caseLines(a.Source(), a.Suite, o)}
	suite.suite, _ = a.RunSuite()
	for _, loss := range suite.suite.Losses {
		if loss.Fatal {
			return loadedSuite{}, fmt.Errorf("%s has an error that keeps every case from running; see `rubric check %s`", path, path)
		}
	}
	suite.leaveOut(errs)
	if err := s.checkTestFiles(&suite, o.selects(), o); err != nil {
		return loadedSuite{}, err
	}
	if len(suite.suite.Cases) == 0 {
		return loadedSuite{}, fmt.Errorf("%s has no cases to run", path)
	}
	for _, problem := range fillSuite(path, suite.suite) {
		fmt.Fprintf(s.stderr, "rubric: %s: %s\n", path, problem)
	}
	return suite, nil
}

// fillSuite fills the variables of the environment and the files into a suite. It returns what it left out.
func fillSuite(path string, suite *rubric.Suite) (problems []string) {
	return append(targets.FillEnvironment(path, suite), host.FillReferences(path, suite)...)
}

// leaveOut removes the cases that have errors.
func (l *loadedSuite) leaveOut(errs analysis.RunErrors) {
	if len(errs.Cases) > 0 {
		suite := *l.suite
		suite.Cases = errs.WithoutFaulty(suite.Cases)
		l.suite, l.leftOut = &suite, slices.Sorted(maps.Keys(errs.Cases))
	}
}

// leaveOutByTags removes the cases that tags do not select and no selected case depends on, and reports whether none is left.
func (l *loadedSuite) leaveOutByTags(o *runOptions) bool {
	if l.stream != nil {
		return l.stream.selectedCount == 0
	}
	suite := *l.suite
	suite.Cases, _ = run.WithDependencies(suite.Cases, o.hasTags)
	l.suite = &suite
	return len(suite.Cases) == 0
}

// caseLines returns where the cases of a file begin, by id, if the output needs it. Only then it calls suite, which
// may read the whole file once more.
func caseLines(src *text.Source, suite func() *rubric.Suite, o *runOptions) map[string]int {
	if o.format != "github" {
		return nil
	}
	lines := map[string]int{}
	for _, c := range suite().Cases {
		lines[c.ID] = src.OffsetLine(c.SelectionSpan.Start) + 1
	}
	return lines
}

// tooLargeHint says how to run a file that is too large to be read as a whole.
func tooLargeHint(path string, err, streamErr error) string {
	switch {
	case !errors.Is(err, disk.ErrTooLarge):
		return ""
	case strings.EqualFold(filepath.Ext(path), ".json"):
		return " into several files, which one run can measure"
	case agentv.CaseFormat(path) == "jsonl":
		return fmt.Sprintf(", or fix what prevents reading it case by case: %s", streamErr)
	}
	return ", or write its cases as JSONL, one per line, which is read case by case"
}

// analyseValid analyses a file that is to be run or converted. allCases returns every case
// of the file. If the file or a case that selects accepts has errors, it prints them and
// returns an error, or with --ignore-errors prints what is left out. Errors of other cases
// do not matter.
func (s *session) analyseValid(in analysis.Input, schemas *host.Schemas, allCases func(*analysis.Analysis) *rubric.Suite, selects func(*rubric.Case) bool, o *runOptions) (*analysis.Analysis, analysis.RunErrors, error) {
	severities, err := host.Severities(in.Path)
	if err != nil {
		return nil, analysis.RunErrors{}, err
	}
	in.LoadSchema, in.Severities = schemas.ForFile(in.Path), lint.AtLeast(diag.Warning, severities)
	a := analyse(in)
	o.warnings = append(o.warnings, fileWarnings{in.Path, len(withSeverity(diag.Warning, a.Diagnostics()))})
	errs := analysis.FindRunErrors(func() *rubric.Suite { return allCases(a) }, a.Diagnostics())
	if err := s.refuseErrors(a, errs, in.Path, selects, o); err != nil {
		return nil, errs, err
	}
	return a, errs, nil
}

// refuseErrors prints the errors of the selected cases and returns an error, or with --ignore-errors prints what is left out.
func (s *session) refuseErrors(a *analysis.Analysis, errs analysis.RunErrors, path string, selects func(*rubric.Case) bool, o *runOptions) error {
	blocking := errs.Blocking(selects)
	switch {
	case len(blocking) == 0:
		return nil
	case o.ignoreErrors:
		leaveOut := func(id string, d diag.Diagnostic) {
			o.leftOut = append(o.leftOut, corereport.LeftOut{File: path, Line: a.Source().OffsetLine(d.Span.Start) + 1, ID: id, Error: d.Message})
		}
		for _, d := range errs.File {
			s.printNote(fmt.Sprintf("%s: ignored: %s", path, d.Message))
			leaveOut("", d)
		}
		for _, id := range errs.Faulty(selects) {
			s.printNote(fmt.Sprintf("%s: the case `%s` is left out: %s", path, id, errs.Cases[id][0].Message))
			leaveOut(id, errs.Cases[id][0])
		}
		return nil
	}
	s.printDiagnostics(a.Source(), blocking)
	hint := ""
	if s.command == "run" {
		hint = "; fix the file, or use --ignore-errors to run the other cases"
	}
	return fmt.Errorf("%s has %s%s", path, diag.CountNoun(len(blocking), "error"), hint)
}

func (s *session) printDiagnostics(source *text.Source, diagnostics []diag.Diagnostic) {
	render := s.renderer(s.stderr)
	for _, d := range diagnostics {
		_ = render.Render(s.stderr, source, d) // there is nowhere to report an error of standard error
		fmt.Fprintln(s.stderr)
	}
}

// checkCasePatterns returns an error if a --case pattern matches no case: a run without
// the misspelt case would look successful.
func checkCasePatterns(cases []*rubric.Case, patterns []string) error {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(cases, run.MatchIDs(pattern)) {
			return unknownCaseError(pattern, (&rubric.Suite{Cases: cases}).CaseIDs())
		}
	}
	return nil
}

// checkSuitePatterns is [checkCasePatterns] for suites that may be streamed.
func checkSuitePatterns(suites []loadedSuite, o *runOptions) error {
	for _, pattern := range o.cases {
		selects := run.MatchIDs(pattern)
		matches := func(l loadedSuite) bool {
			if l.stream != nil {
				return l.stream.matched[pattern]
			}
			return slices.ContainsFunc(l.suite.Cases, func(c *rubric.Case) bool { return selects(c) && o.hasTags(c) }) ||
				slices.ContainsFunc(l.leftOut, func(id string) bool { return selects(&rubric.Case{ID: id}) })
		}
		if slices.ContainsFunc(suites, matches) {
			continue
		}
		var ids []string
		for _, l := range suites {
			if ids = append(ids, l.suite.CaseIDs()...); l.stream != nil {
				ids = append(ids, l.stream.caseIDs()...)
			}
		}
		return unknownCaseError(pattern, ids)
	}
	return nil
}

func unknownCaseError(pattern string, ids []string) error {
	return fmt.Errorf("--case: no case `%s`%s", pattern, spell.DidYouMean(pattern, ids))
}
