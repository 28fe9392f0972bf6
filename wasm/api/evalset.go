package api

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// evaluationFiles are the other files of an evaluation: an evalset has a configuration and a
// recording; a result file is itself a recording. If neither is given, they are looked up among the
// open siblings.
type evaluationFiles struct {
	Config   string `json:"config,omitempty"`   // a test_config.json; without it, ADK's default metrics apply
	Recorded string `json:"recorded,omitempty"` // an .evalset_result.json or an evalset; without it, the evalset's own conversations are measured
}

// EvalsetFiles are the files with which an evalset or a result file is evaluated.
type EvalsetFiles struct {
	evaluationFiles
	Target string `json:"target,omitempty"` // the name of the file with the conversations
}

// evalsetFiles returns the open siblings that belong to an evalset: the ADK configuration and the
// first recording of the set. A result file has its own conversations.
func (d document) evalsetFiles() (files EvalsetFiles) {
	if d.deps == nil {
		return files
	}
	names := d.deps.listADKFiles()
	if slices.Contains(names, adk.ConfigName) {
		files.Config, _ = d.deps.file(adk.ConfigName)
	}
	if d.ADK() == adk.Results {
		files.Target = path.Base(d.Source().Name)
		return files
	}
	id := ide.Evalset(d.Analysis).ID
	for _, name := range names {
		if body, _ := d.deps.file(name); adk.IsResultsName(name) && strings.Contains(body, id) {
			files.Recorded, files.Target = body, name
			break
		}
	}
	return files
}

// orSiblings returns the given files, or else the document's open siblings.
func (f evaluationFiles) orSiblings(d document) evaluationFiles {
	if f == (evaluationFiles{}) {
		return d.evalsetFiles().evaluationFiles
	}
	return f
}

// evaluationCache holds the last evaluation, because a page requests everything about one text at
// once.
var evaluationCache struct {
	sync.Mutex
	analysis   *analysis.Analysis
	files      evaluationFiles
	evaluation adk.Evaluation
}

// evaluation returns the evaluation of an evalset or a result file.
func (f evaluationFiles) evaluation(a *analysis.Analysis) (adk.Evaluation, error) {
	evaluationCache.Lock()
	defer evaluationCache.Unlock()
	if evaluationCache.analysis == a && evaluationCache.files == f {
		return evaluationCache.evaluation, nil
	}
	var criteria []metric.Criterion
	if f.Config != "" {
		err := runError(analysis.Of(analysis.Input{Path: adk.ConfigName, Text: f.Config}), &rubric.Suite{}, "")
		if err != nil {
			return adk.Evaluation{}, err
		}
		if criteria, err = adk.LowerConfig(metric.Latest, adk.Open(adk.ConfigName, f.Config)).RequestedCriteria(); err != nil {
			return adk.Evaluation{}, failf(Refused, "%s: %s", adk.ConfigName, err)
		}
	}
	evaluation, err := f.newEvaluation(a, criteria)
	if err == nil {
		err = runError(a, evaluation.Suite, "")
	}
	if err != nil {
		return adk.Evaluation{}, err
	}
	evaluationCache.analysis, evaluationCache.files, evaluationCache.evaluation = a, f, evaluation
	return evaluation, nil
}

// runError returns the first error that keeps a case of a file from running, or without an id
// the first outside all cases of suite.
func runError(a *analysis.Analysis, suite *rubric.Suite, id string) error {
	if why := caseErrors(a, func() *rubric.Suite { return suite })(id); why != "" {
		return failf(Refused, "%s", why)
	}
	return nil
}

// caseErrors returns a function that says why the case with an id does not run, or "". Suite has all
// cases of the file.
func caseErrors(a *analysis.Analysis, suite func() *rubric.Suite) func(id string) string {
	if sidecar := a.Sidecar(); sidecar != nil {
		if why := caseErrors(sidecar, sidecar.Suite)(""); why != "" {
			return func(string) string { return why }
		}
	}
	errs := analysis.FindRunErrors(suite, a.Diagnostics())
	return func(id string) string {
		found := errs.File
		if id != "" && len(found) == 0 {
			found = errs.Cases[id]
		}
		if len(found) == 0 {
			return ""
		}
		where := fmt.Sprintf("line %d", a.Source().OffsetLine(found[0].Span.Start)+1)
		if name := a.Source().Name; name != "" {
			where = path.Base(name) + ", " + where
		}
		return where + ": " + found[0].Message
	}
}

// newEvaluation combines a file's conversations with the criteria and the recorded conversations.
func (f evaluationFiles) newEvaluation(a *analysis.Analysis, criteria []metric.Criterion) (adk.Evaluation, error) {
	name := path.Base(a.Source().Name)
	if a.ADK() == adk.Results {
		if f.Recorded != "" {
			return adk.Evaluation{}, failf(BadParams, "this file is itself a recording; give `recorded` with its evalset")
		}
		recording := adk.LowerResults(metric.Latest, adk.Open(name, a.Body()))
		if f.Config == "" {
			criteria, _ = recording.CriteriaWithoutConfig()
		}
		return recording.Evaluation(criteria), nil
	}
	if f.Config == "" {
		criteria = adk.DefaultCriteria()
	}
	set := ide.Evalset(a)
	set.ID = cmp.Or(set.ID, strings.TrimSuffix(name, path.Ext(name)))
	if f.Recorded == "" {
		return set.Evaluation(criteria), nil
	}
	recorded, err := adk.ReadRecording(metric.Latest, adk.Open("recorded.json", f.Recorded))
	if err != nil {
		return adk.Evaluation{}, failf(Refused, "%s", err)
	}
	return set.Evaluation(criteria, recorded), nil
}

// evaluationFile returns the file of a run that measures conversations.
func (p runParams) evaluationFile(d document, file run.File) (run.File, error) {
	files := p.orSiblings(d)
	evaluation, err := files.evaluation(d.Analysis)
	source := p.Target
	switch {
	case d.ADK() == adk.Results:
		source = file.Name
	case files.Recorded == "":
		source = adk.SelfTarget
	}
	file.Suite = evaluation.Suite
	file.Conversations = &run.Conversations{Source: source, Profile: metric.Latest, Metrics: evaluation.Criteria, Measure: evaluation.MeasureSamples}
	return file, err
}
