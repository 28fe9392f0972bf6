package lsp

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// evaluation is an ADK evalset or result file, ready to be evaluated. It replaces the suite of
// other dialects.
type evaluation struct {
	adk.Evaluation
	*evalsetInputs
	profile metric.Profile
	cases   []*cachedCase
}

// evaluation returns the evaluation of a document, or nil for other dialects.
func (s *snapshot) evaluation(d *document) *evaluation {
	switch d.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns, adk.Results:
	default:
		return nil
	}
	inputs := d.deps.evalsetInputs(strings.Join(s.RunSettings.Recorded, ""))
	if e := d.evaluation.Load(); e != nil && e.evalsetInputs == inputs {
		return e
	}
	e := d.newEvaluation(inputs)
	d.evaluation.Store(e)
	return e
}

// newEvaluation pairs a document's conversations with the recorded ones. Each metric becomes a
// grader of each case, so that results have the same form as in other dialects.
func (d *document) newEvaluation(inputs *evalsetInputs) *evaluation {
	profile := d.deps.project.Run.ADK
	e := &evaluation{evalsetInputs: inputs, profile: profile}
	if d.ADK() == adk.Results {
		e.Evaluation = ide.Recording(d.Analysis).Evaluation(inputs.criteria)
	} else {
		e.Evaluation = ide.Evalset(d.Analysis).Evaluation(inputs.criteria, inputs.recordings...)
	}
	e.Suite.Name = cmp.Or(e.Suite.Name, convert.Stem(d.deps.input.Path))
	var metrics []*rubric.Grader
	for _, c := range inputs.criteria {
		metrics = append(metrics, &rubric.Grader{Name: c.Metric, Kind: rubric.Metric, Weight: 1})
	}
	for _, c := range e.Suite.Cases {
		c.Graders = metrics
		e.cases = append(e.cases, &cachedCase{Case: c})
	}
	return e
}

// runnableSuite returns the cases of a document that can run.
func (s *snapshot) runnableSuite(d *document) *rubric.Suite {
	if e := s.evaluation(d); e != nil {
		return e.Suite
	}
	return d.Suite()
}

// conversations returns what a run measures.
func (e *evaluation) conversations() *run.Conversations {
	return &run.Conversations{Source: e.targetName, Profile: e.profile, Metrics: e.Criteria, Measure: e.MeasureSamples}
}

// messages returns notes and problems for the user.
func (e *evaluation) messages() []string { return slices.Concat(e.notes, e.Problems) }

// evaluationError returns why an evalset cannot be evaluated although its own file has no error.
func (s *snapshot) evaluationError(d *document) error {
	e := s.evaluation(d)
	if e == nil {
		return nil
	}
	body, configured := d.deps.configFile()
	if !configured {
		return e.err
	}
	u := uri.File(filepath.Join(filepath.Dir(d.URI.FsPath()), adk.ConfigName))
	for _, found := range s.session.loadDependencies(u).analyse(body).Diagnostics() {
		if found.Severity == diag.Error {
			return fmt.Errorf("cannot run; fix this error in `%s` first: %s", adk.ConfigName, found.Message)
		}
	}
	return e.err
}

// evalsetInputs holds the metrics and the recorded conversations with which an ADK evalset is
// evaluated. It is immutable.
type evalsetInputs struct {
	recordingSetting string // the setting that named the recording
	criteria         []metric.Criterion
	recordings       []adk.Recording // none: the set's own conversations are evaluated
	targetName       string          // the recorded file's name, or adk.SelfTarget
	notes            []string        // for the user who runs it
	err              error           // why it cannot be evaluated
}

// evalsetInputs returns the evalset's metrics from the ADK configuration in its folder, and the
// recording that the setting names.
func (dp *dependencies) evalsetInputs(setting string) *evalsetInputs {
	dp.inputsMu.Lock()
	defer dp.inputsMu.Unlock()
	if dp.inputs == nil || dp.inputs.recordingSetting != setting {
		ei := &evalsetInputs{recordingSetting: setting, targetName: adk.SelfTarget}
		if adk.IsResultsName(dp.input.Path) { // a result file is itself a recording
			ei.targetName, setting = path.Base(dp.input.Path), ""
		}
		if ei.err = ei.loadCriteria(dp); ei.err == nil && setting != "" {
			ei.err = ei.loadRecording(dp)
		}
		dp.inputs = ei
	}
	return dp.inputs
}

// loadCriteria reads the configured metrics, or takes ADK's defaults without a configuration.
func (ei *evalsetInputs) loadCriteria(deps *dependencies) (err error) {
	body, found := deps.configFile()
	if !found {
		ei.criteria = adk.DefaultCriteria()
		ei.notes = append(ei.notes, fmt.Sprintf("there is no `%s` next to the evalset; ADK's default metrics apply", adk.ConfigName))
		return nil
	}
	if ei.criteria, err = adk.LowerConfig(deps.project.Run.ADK, adk.Open(adk.ConfigName, body)).RequestedCriteria(); err != nil {
		return fmt.Errorf("%s: %w", adk.ConfigName, err)
	}
	return nil
}

// configFile returns the ADK configuration in the file's own folder, the only place where ADK
// looks. For a document that is not on disk, it is an open sibling.
func (dp *dependencies) configFile() (body string, found bool) {
	if dp.readUnsaved != nil {
		return dp.readUnsaved(adk.ConfigName)
	}
	if dp.input.FolderNames == nil || dp.input.ReadFile == nil || !slices.Contains(dp.input.FolderNames(), adk.ConfigName) {
		return "", false
	}
	return dp.input.ReadFile(adk.ConfigName)
}

// loadRecording reads the recording that the setting names. A `*` stands for the evalset's name.
func (ei *evalsetInputs) loadRecording(deps *dependencies) error {
	name := strings.ReplaceAll(ei.recordingSetting, "*", convert.Stem(deps.input.Path))
	read := deps.input.ReadFile
	if deps.readUnsaved != nil {
		read = deps.readUnsaved
	}
	if read == nil {
		return fmt.Errorf("rubric.recorded: this server cannot read `%s`", name)
	}
	body, found := read(name)
	if !found {
		return fmt.Errorf("rubric.recorded: there is no `%s` next to the evalset or in a parent folder", name)
	}
	recording, err := adk.ReadRecording(deps.project.Run.ADK, adk.Open(name, body))
	if err != nil {
		return fmt.Errorf("rubric.recorded: %s: %w", name, err)
	}
	ei.recordings, ei.targetName = []adk.Recording{recording}, path.Base(name)
	return nil
}
