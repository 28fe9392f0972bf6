package cli

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// evalsetFlag returns the first flag that was given and applies only to ADK files, or "".
func evalsetFlag(settings *run.Settings) string {
	for _, o := range run.Options(run.CommandLine) {
		if o.OnlyADK && settings.IsSet(o.Name) {
			return "--" + o.Name
		}
	}
	return ""
}

// openFile reads a file to run. set is not nil for ADK files, whose path may have case
// ids after a colon, as ADK writes it.
func (s *session) openFile(path string) (set *evalset, body string, err error) {
	path, cases := splitCaseIDs(path)
	body, err = s.readEvalFile(path)
	if err != nil || !strings.EqualFold(filepath.Ext(path), ".json") {
		return nil, body, err
	}
	f := adk.Open(path, body)
	switch f.Role {
	case adk.None:
		return nil, body, nil
	case adk.Config:
		return nil, body, fmt.Errorf("%s is a configuration; name the evalset, and pass this file with --config", path)
	}
	return &evalset{path: path, file: f, cases: cases}, body, nil
}

// readEvalFile reads a file that an argument names.
func (s *session) readEvalFile(path string) (body string, err error) {
	if path == "-" {
		return "", errors.New("eval files are read from standard input only by `rubric check -`")
	}
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		return "", fmt.Errorf("%s is a table; name the eval file that has it among its `tests`", path)
	}
	if body, ok := s.buffers[path]; ok {
		return body, nil
	}
	body, err = disk.ReadArgument(path)
	if first, _, _ := strings.Cut(body, "\n"); filepath.Ext(path) == ".jsonl" && score.IsResult([]byte(first)) {
		return "", fmt.Errorf("%s has results of a run; `rubric runs show %[1]s` shows them", path)
	}
	return body, err
}

// An evalset is an ADK file to be measured.
type evalset struct {
	path       string
	file       adk.File
	profile    metric.Profile
	cases      []string     // selected ids; empty selects all
	allCases   rubric.Suite // ids and spans, also of cases that are not selected
	criteria   []metric.Criterion
	recorded   []string // files with the conversations to measure
	configNote string   // source of the criteria if there is no file
	simulator  adk.Simulator

	recordingNote string // why none of the files next to the evalset is the recording

	config, configBody string // path and text of the configuration
}

// loadEvalset checks an evalset and its configuration and prepares it for measuring.
func (s *session) loadEvalset(e *evalset, schemas *host.Schemas, o *runOptions) (loadedSuite, error) {
	if other := o.Targets[0]; o.IsSet("target") && !o.AsksAgent(e.isAgent(&o.Settings)) && other != run.SelfTargetName {
		return loadedSuite{}, fmt.Errorf("--target %s does not apply to %s: the conversations of an evalset are recorded, or held with an agent, as in --target %shttp://localhost:8000", other, e.path, run.AgentPrefix)
	}
	var errs analysis.RunErrors
	evaluation, err := e.evaluate(&o.Settings)
	e.file.Tree = nil // the tree is many times larger than the text
	if e.config != "" && (err == nil || adk.Open(e.config, e.configBody).Role == adk.Config) {
		if _, _, configErr := s.analyseValid(e.configInput(), schemas, func(*analysis.Analysis) *rubric.Suite { return &rubric.Suite{} }, run.MatchIDs(), o); configErr != nil {
			return loadedSuite{}, configErr
		}
	}
	if err == nil {
		selects := run.MatchIDs(o.cases...)
		_, errs, err = s.analyseValid(host.NewInput(e.path, e.file.Body), schemas, func(*analysis.Analysis) *rubric.Suite { return &e.allCases },
			func(c *rubric.Case) bool { return e.selects(c.ID) && selects(c) }, o)
	}
	if err != nil {
		return loadedSuite{}, err
	}
	problems := append(evaluation.Problems, e.configNote, e.recordingNote)
	if o.IsSet("trials") && !evaluation.AsksAgent() {
		problems = append(problems, "--trials has no effect on what is recorded; --samples asks judges several times")
	}
	if o.IsSet("profile") {
		problems = append(problems, "--profile has no effect on an evalset; --adk does")
	}
	for _, problem := range problems {
		if problem != "" {
			s.printNote(e.path + ": " + problem)
		}
	}
	l := loadedSuite{path: e.path, suite: evaluation.Suite, evaluation: &evaluation, profile: e.profile, source: e.sourceName(), lines: caseLines(text.New(e.path, e.file.Body), func() *rubric.Suite { return evaluation.Suite }, o)}
	if l.leaveOut(errs); len(l.suite.Cases) == 0 {
		return loadedSuite{}, fmt.Errorf("%s has no cases to run", e.path)
	}
	return l, nil
}

// configInput returns the configuration as an input that is compared only with this
// evalset.
func (e *evalset) configInput() analysis.Input {
	in := host.NewInput(e.config, e.configBody)
	name := filepath.Base(e.path)
	in.FolderNames = func() []string { return []string{name} }
	in.ReadFile = func(string) (string, bool) {
		body, err := disk.ReadArgument(e.path)
		return body, err == nil
	}
	return in
}

// resolveProfile sets the ADK version from the options or the settings. It reports whether they name an
// agent that holds the conversations.
func (e *evalset) resolveProfile(o *run.Settings) (asksAgent bool, err error) {
	project, err := host.RunSettings(e.path)
	e.profile = cmp.Or(o.ADK, project.ADK, metric.Latest)
	return o.Or(project.Settings).AsksAgent(e.isAgent(o)), err
}

// isAgent returns a function that reports whether a name is that of a running agent.
func (e *evalset) isAgent(o *run.Settings) func(string) bool {
	return func(name string) bool { return targets.IsAgent(e.path, o.TargetsFile, name) }
}

// sourceName returns a name for the source of the conversations.
func (e *evalset) sourceName() string {
	switch {
	case len(e.recorded) > 0:
		return strings.Join(generic.Map(e.recorded, filepath.Base), ", ")
	case e.file.Role == adk.Results:
		return filepath.Base(e.path)
	}
	return adk.SelfTarget
}

// evaluate combines the conversations with their metrics.
func (e *evalset) evaluate(o *run.Settings) (adk.Evaluation, error) {
	asksAgent, err := e.resolveProfile(o)
	if err != nil {
		return adk.Evaluation{}, err
	}
	asksAgent = asksAgent && (o.IsSet("target") || len(o.Recorded) == 0)
	var recording adk.Recording
	if e.file.Role == adk.Results {
		recording = adk.LowerResults(e.profile, e.file)
	}
	if err := e.loadConfig(o, recording); err != nil {
		return adk.Evaluation{}, err
	}
	if e.file.Role == adk.Results {
		switch {
		case len(o.Recorded) > 0:
			return adk.Evaluation{}, fmt.Errorf("%s is itself a recording; name the evalset, and pass this file with --recorded", e.path)
		case o.IsSet("target") && asksAgent:
			return adk.Evaluation{}, fmt.Errorf("%s is itself a recording; name the evalset, whose questions --target answers", e.path)
		}
		e.allCases.Cases = append(e.allCases.Cases, generic.Map(recording.Cases, func(c adk.RecordedCase) *rubric.Case { return &rubric.Case{ID: c.ID, Span: c.Span} })...)
		return e.filterRecording(recording).Evaluation(e.criteria), nil
	}
	set := adk.LowerSet(e.profile, e.file)
	for i, c := range set.Cases {
		e.allCases.Cases = append(e.allCases.Cases, &rubric.Case{ID: c.ID, Span: c.Span})
		set.Cases[i] = c.Compact(sameSpan)
	}
	for _, id := range e.cases {
		if ids := e.allCases.CaseIDs(); !slices.Contains(ids, id) {
			return adk.Evaluation{}, fmt.Errorf("%s has no case `%s`%s", e.path, id, spell.DidYouMean(id, ids))
		}
	}
	set.Cases = slices.DeleteFunc(set.Cases, func(c adk.Case) bool { return !e.selects(c.ID) })
	switch {
	case asksAgent && len(o.Recorded) > 0:
		return adk.Evaluation{}, errors.New("--recorded names recorded conversations, and --target an agent that holds them; choose one of the two")
	case asksAgent:
		evaluation := set.Evaluation(e.criteria).ForAgent(e.simulator)
		e.setDefaultName(evaluation.Suite)
		return evaluation, nil
	}
	var recorded []adk.Recording
	if e.recorded = slices.DeleteFunc(slices.Clone(o.Recorded), func(path string) bool { return disk.SameFile(path, e.path) }); len(e.recorded) < len(o.Recorded) {
		e.recordingNote = "--recorded is the evalset itself, which is no recording: every expected conversation is equal to itself"
	}
	for _, path := range e.recorded {
		r, err := resultstore.ReadRecording(path, e.profile)
		if err != nil {
			return adk.Evaluation{}, err
		}
		recorded = append(recorded, e.filterRecording(r))
	}
	if len(o.Recorded) == 0 {
		recorded = e.siblingRecording(set.ID)
	}
	evaluation := set.Evaluation(e.criteria, recorded...)
	e.setDefaultName(evaluation.Suite)
	return evaluation, nil
}

// siblingRecording reads the result file of the set next to an evalset if there is only one. Of several,
// only the user knows which to measure.
func (e *evalset) siblingRecording(setID string) []adk.Recording {
	var found []string
	var recording adk.Recording
	for _, name := range host.NewInput(e.path, "").FolderNames() {
		if !adk.IsResultsName(name) {
			continue
		}
		path := filepath.Join(filepath.Dir(e.path), name)
		e.recordingNote = name + " next to it is not a recording of this set"
		if body, err := disk.ReadFile(path); err == nil && !strings.Contains(body, setID) {
			continue // without the time to parse the recordings of all other sets
		}
		if r, err := resultstore.ReadRecording(path, e.profile); err != nil {
			e.recordingNote = err.Error()
		} else if r.SetID == setID {
			found, recording = append(found, path), e.filterRecording(r)
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		e.recorded, e.recordingNote = found, ""
		return []adk.Recording{recording}
	}
	e.recordingNote = fmt.Sprintf("%d result files of this set are next to it; name the recording with --recorded", len(found))
	return nil
}

// setDefaultName names a set without an id after its file.
func (e *evalset) setDefaultName(suite *rubric.Suite) {
	suite.Name = cmp.Or(suite.Name, strings.TrimSuffix(filepath.Base(e.path), filepath.Ext(e.path)))
}

// selects reports whether the case with this id is to be run.
func (e *evalset) selects(id string) bool { return len(e.cases) == 0 || slices.Contains(e.cases, id) }

func sameSpan(span text.Span) text.Span { return span }

// filterRecording returns the recording with only the selected cases, without their trees.
func (e *evalset) filterRecording(r adk.Recording) adk.Recording {
	r.Cases = slices.DeleteFunc(r.Cases, func(c adk.RecordedCase) bool { return !e.selects(c.ID) })
	for i, c := range r.Cases {
		r.Cases[i] = c.Compact(sameSpan)
	}
	return r
}

// splitCaseIDs splits FILE:ID,ID, as ADK writes it, into the path and the case ids.
func splitCaseIDs(path string) (string, []string) {
	if file, ids := adk.CutSelection(path); len(ids) > 0 && !disk.Exists(path) && disk.Exists(file) {
		return file, ids
	}
	return path, nil
}

// loadConfig reads the metrics from the file that the options name, or from the
// test_config.json next to the evalset, as ADK does. Without a file it uses those of the
// recording, or ADK's defaults.
func (e *evalset) loadConfig(o *run.Settings, recording adk.Recording) error {
	path, read := o.Config, disk.ReadArgument
	if path == "" {
		read = disk.ReadFile
		path = configPathFor(e.path)
		if !disk.Exists(path) {
			e.simulator = adk.DefaultSimulator
			criteria, source := recording.CriteriaWithoutConfig()
			e.configNote = "no " + path + "; using " + source
			return e.selectMetrics(criteria, o)
		}
	}
	body, err := read(path)
	if err != nil {
		return err
	}
	e.config, e.configBody = path, body
	config := adk.LowerConfig(e.profile, adk.Open(path, body))
	e.simulator = config.Simulator
	criteria, err := config.RequestedCriteria()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return e.selectMetrics(criteria, o)
}

// configPathFor returns the path where ADK expects the configuration of an evalset.
func configPathFor(evalset string) string {
	return filepath.Join(filepath.Dir(evalset), adk.ConfigName)
}

// selectMetrics selects the metrics that the options name.
func (e *evalset) selectMetrics(criteria []metric.Criterion, o *run.Settings) error {
	var names []string
	for _, c := range criteria {
		names = append(names, c.Metric)
		if len(o.Metrics) == 0 || slices.Contains(o.Metrics, c.Metric) {
			e.criteria = append(e.criteria, c)
		}
	}
	for _, name := range o.Metrics {
		if !slices.Contains(names, name) {
			return fmt.Errorf("--metric: the configuration has no metric `%s`%s", name, spell.DidYouMeanOr(name, names, "it has "+diag.JoinList(diag.Backtick(names), "and")))
		}
	}
	return nil
}

// conversationsOf returns the measured conversations of the selected cases; see [report.Suite].
func (l loadedSuite) conversationsOf(o *runOptions) iter.Seq2[string, metric.Conversation] {
	if l.evaluation == nil {
		return nil
	}
	return func(yield func(string, metric.Conversation) bool) {
		selects := run.MatchIDs(o.cases...)
		for _, c := range l.suite.Cases {
			if selects(c) && !yield(c.ID, l.evaluation.Conversation(c)) {
				return
			}
		}
	}
}

// wantsEvalsetResult reports whether an ADK result file is requested.
func (o *runOptions) wantsEvalsetResult() bool {
	return o.format == report.EvalsetResult || slices.ContainsFunc(o.outputs, func(path string) bool { return formatOf(path) == report.EvalsetResult })
}
