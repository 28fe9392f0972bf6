package cache

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// An Evaluation is an ADK evalset or result file, ready to be evaluated. It replaces the suite of
// other dialects.
type Evaluation struct {
	adk.Evaluation
	*evalsetInputs
	profile metric.Profile
	note    string // for the user who runs it; may be empty
	asked   bool   // an agent holds the conversations
	cases   []*cachedCase
}

// newEvaluation pairs a file's conversations with the recorded ones. Each metric becomes a
// grader of each case, so that results have the same form as in other dialects.
// An agent, if one is asked, holds the conversations during the run.
func newEvaluation(a *analysis.Analysis, env *environment, inputs *evalsetInputs, asksAgent bool) *Evaluation {
	e := &Evaluation{evalsetInputs: inputs, profile: env.project.Run.ADK, asked: asksAgent}
	var recording adk.Recording
	if a.ADK() == adk.Results {
		recording = ide.Recording(a)
	}
	criteria, source := inputs.criteria, ""
	if !inputs.isConfigured {
		criteria, source = recording.CriteriaWithoutConfig()
		e.note = fmt.Sprintf("no `%s` in this folder; using %s", adk.ConfigName, source)
	}
	switch {
	case a.ADK() == adk.Results:
		e.Evaluation = recording.Evaluation(criteria)
	case asksAgent:
		e.Evaluation = ide.Evalset(a).Evaluation(criteria).ForAgent(inputs.simulator)
	default:
		e.Evaluation = ide.Evalset(a).Evaluation(criteria, inputs.recordings...)
	}
	e.Suite.Name = cmp.Or(e.Suite.Name, convert.Stem(env.input.Path))
	metrics := generic.Map(criteria, func(c metric.Criterion) *rubric.Grader {
		return &rubric.Grader{Name: c.Metric, Kind: rubric.Metric, Weight: 1}
	})
	for _, c := range e.Suite.Cases {
		c.Graders = metrics
		e.cases = append(e.cases, &cachedCase{Case: c})
	}
	return e
}

// Conversations returns what a run measures.
func (e *Evaluation) Conversations() *run.Conversations {
	return &run.Conversations{
		Source: e.targetName, Profile: e.profile, Metrics: e.Criteria, Measure: e.MeasureSamples,
		AsksAgent: e.AsksAgent(), User: e.SimulatedUser(), Reuse: e.Reuse,
	}
}

// Messages returns the note and problems for the user.
func (e *Evaluation) Messages() (all []string) {
	if e.note != "" {
		all = append(all, e.note)
	}
	return append(all, e.Problems...)
}

// recordingsOf returns the result files of an evalset in its own folder.
func (s *Snapshot) recordingsOf(d *Document) (all []ide.RecordingFile) {
	in := d.deps.input
	if d.ADK() != adk.EvalSet || in.FolderNames == nil || in.ReadFile == nil {
		return nil
	}
	id := `"` + ide.Evalset(d.Analysis).ID + `"`
	for _, name := range in.FolderNames() {
		if !adk.IsResultsName(name) {
			continue
		}
		if body, found := in.ReadFile(name); found && strings.Contains(body, id) {
			all = append(all, ide.RecordingFile{Name: name, Measured: name == s.recordedFor(d)})
		}
	}
	return all
}

// recordedFor returns the recording that a document is measured on, as the user has chosen it or as the
// settings say.
func (s *Snapshot) recordedFor(d *Document) string {
	if chosen := s.recordings[d.URI]; chosen != "" {
		return chosen
	}
	return strings.Join(s.RunSettings.Recorded, "")
}

// ChooseRecording sets the recording that a document is measured on until the session ends; "" means that of the
// settings.
func (w *Workspace) ChooseRecording(u uri.URI, name string) {
	w.Update(func(next *Snapshot) {
		next.recordings = maps.Clone(next.recordings)
		next.recordings[u] = name
	})
	w.ResultsChanged(true)
}

// environment is what surrounds a file.
type environment struct {
	input      analysis.Input // without Text
	project    ProjectSettings
	projectErr error // why the project's settings cannot be read
	// readUnsaved reads an open sibling of a document that is not on disk; nil for others.
	readUnsaved func(name string) (string, bool)
}

// evalsetInputs holds the metrics and the recorded conversations with which an ADK evalset is
// evaluated. It is immutable.
type evalsetInputs struct {
	criteria     []metric.Criterion
	isConfigured bool // a configuration names the criteria
	simulator    adk.Simulator
	recordings   []adk.Recording // none: the set's own conversations are evaluated
	targetName   string          // the recorded file's name, or adk.SelfTarget
	err          error           // why it cannot be evaluated
}

// newEvalsetInputs returns the evalset's metrics from the ADK configuration in its folder, and the
// recording that the setting names.
func newEvalsetInputs(env *environment, setting string) *evalsetInputs {
	ei := &evalsetInputs{targetName: adk.SelfTarget, simulator: adk.DefaultSimulator}
	if adk.IsResultsName(env.input.Path) { // a result file is itself a recording
		ei.targetName, setting = path.Base(env.input.Path), ""
	}
	if ei.err = ei.loadCriteria(env); ei.err == nil && setting != "" {
		ei.err = ei.loadRecording(env, setting)
	}
	return ei
}

// loadCriteria reads the configured metrics, if there is a configuration.
func (ei *evalsetInputs) loadCriteria(env *environment) (err error) {
	body, found := env.configFile()
	if !found {
		return nil
	}
	ei.isConfigured = true
	config := adk.LowerConfig(env.project.Run.ADK, adk.Open(adk.ConfigName, body))
	ei.simulator = config.Simulator
	if ei.criteria, err = config.RequestedCriteria(); err != nil {
		return fmt.Errorf("%s: %w", adk.ConfigName, err)
	}
	return nil
}

// configFile returns the ADK configuration in the file's own folder, the only place where ADK
// looks. For a document that is not on disk, it is an open sibling.
func (env *environment) configFile() (body string, found bool) {
	if env.readUnsaved != nil {
		return env.readUnsaved(adk.ConfigName)
	}
	if env.input.FolderNames == nil || env.input.ReadFile == nil || !slices.Contains(env.input.FolderNames(), adk.ConfigName) {
		return "", false
	}
	return env.input.ReadFile(adk.ConfigName)
}

// loadRecording reads the recording that the setting names. A `*` stands for the evalset's name.
func (ei *evalsetInputs) loadRecording(env *environment, setting string) error {
	name := strings.ReplaceAll(setting, "*", convert.Stem(env.input.Path))
	read := env.input.ReadFile
	if env.readUnsaved != nil {
		read = env.readUnsaved
	}
	if read == nil {
		return fmt.Errorf("rubric.recorded: this server cannot read `%s`", name)
	}
	body, found := read(name)
	if !found {
		return fmt.Errorf("rubric.recorded: there is no `%s` next to the evalset or in a parent folder", name)
	}
	recording, err := adk.ReadRecording(env.project.Run.ADK, adk.Open(name, body))
	if err != nil {
		return fmt.Errorf("rubric.recorded: %s: %w", name, err)
	}
	ei.recordings, ei.targetName = []adk.Recording{recording}, path.Base(name)
	return nil
}

// RunFile describes a run of some cases of a document for [run.Open], with the targets and judges that
// the document and its project name. It runs nothing.
func (s *Snapshot) RunFile(d *Document, suite *rubric.Suite, cases []*rubric.Case) (run.File, error) {
	f := run.File{Path: PathOf(d.URI), Name: s.displayPath(d.URI), Suite: suite, Project: d.deps.project.Run}
	path := f.Path
	if e := s.Evaluation(d); e != nil {
		f.Conversations, path = e.Conversations(), filepath.Join(filepath.Dir(f.Path), adk.ConfigName)
	}
	return f, cmp.Or(d.deps.projectErr, f.SetNames(path, d.Targets(), cases))
}

// TargetSeparator separates the targets that a file names. A run asks the one that the user chooses.
const TargetSeparator = ", "

// ConfigOf returns who answers and who judges a document's cases, as the settings and the files say.
// An ADK evalset has no target, because the conversations are part of it, unless it asks an agent.
func (s *Snapshot) ConfigOf(given run.Settings, d *Document) RunConfig {
	file, _ := s.RunFile(d, nil, nil) // a run reports the error
	settings := file.Settings(given)
	judges := strings.Join(settings.Judges, run.PanelSeparator)
	if c := file.Conversations; c != nil {
		target := run.SelfTargetName
		if c.AsksAgent {
			target = strings.Join(settings.Targets, TargetSeparator)
		}
		return RunConfig{target, judges, settings.Moderation, "", settings.Threshold}
	}
	return RunConfig{strings.Join(settings.Targets, TargetSeparator), judges, "", settings.Profile, settings.Threshold}
}

// Evaluation returns the evaluation of a document, or nil for other dialects.
func (s *Snapshot) Evaluation(d *Document) *Evaluation {
	if !d.ADK().IsMeasured() {
		return nil
	}
	recorded := s.recordedFor(d)
	// A recording is measured, unless the settings name an agent too and the user has not chosen it.
	asksAgent := s.recordings[d.URI] == "" && s.RunSettings.Or(d.deps.project.Run.Settings).AsksAgent(d.deps.isAgent) && (recorded == "" || s.RunSettings.IsSet("target"))
	inputs := d.deps.inputs.Get(recorded)
	if e := d.evaluation.Load(); e != nil && e.evalsetInputs == inputs && e.asked == asksAgent {
		return e
	}
	e := newEvaluation(d.Analysis, &d.deps.environment, inputs, asksAgent)
	d.evaluation.Store(e)
	return e
}

// CanAnswer reports whether a run of a document can ask a target. Conversations of an evalset are held
// with agents only.
func (s *Snapshot) CanAnswer(d *Document, target string) bool {
	return s.Evaluation(d) == nil || d.deps.isAgent(target)
}

// RunnableSuite returns the cases of a document that can run.
func (s *Snapshot) RunnableSuite(d *Document) *rubric.Suite {
	if e := s.Evaluation(d); e != nil {
		return e.Suite
	}
	return d.Suite()
}

// EvaluationError returns why an evalset cannot be evaluated although its own file has no error.
func (s *Snapshot) EvaluationError(d *Document) error {
	e := s.Evaluation(d)
	if e == nil {
		return nil
	}
	body, configured := d.deps.configFile()
	if !configured {
		return e.err
	}
	u := uri.File(filepath.Join(filepath.Dir(d.URI.FsPath()), adk.ConfigName))
	for _, found := range s.shared.loadDependencies(u).analyse(body).Diagnostics() {
		if found.Severity == diag.Error {
			return fmt.Errorf("cannot run; fix this error in `%s` first: %s", adk.ConfigName, found.Message)
		}
	}
	return e.err
}

// Inputs returns a function that says what a run of a case would depend on now.
func (s *Snapshot) Inputs(d *Document) func(*rubric.Case) Inputs {
	config := s.ConfigOf(s.RunSettings, d)
	return func(c *rubric.Case) Inputs { return d.InputsOf(config.For(c, s.RunSettings), c) }
}
