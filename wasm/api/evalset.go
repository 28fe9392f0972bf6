package api

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// evaluationFiles are the texts that stand beside an evalset of ADK's, or a result file, which
// is a recording itself. Of a document that is open together with others they are looked
// for among those, if neither is given.
type evaluationFiles struct {
	Config   string `json:"config,omitempty"`   // a test_config.json; without it what ADK measures without one
	Recorded string `json:"recorded,omitempty"` // an .evalset_result.json or an evalset; without it the evalset's own is measured
}

// isMeasured reports whether metrics measure a file, and graders do not.
func isMeasured(a *analysis.Analysis) bool {
	switch a.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns, adk.Results:
		return true
	}
	return false
}

// EvalsetFiles are the files that an evalset or a result file is measured with.
type EvalsetFiles struct {
	evaluationFiles
	Target string `json:"target,omitempty"` // who had the conversations: the name of the recorded ones' file
}

func findEvalsetFiles(p fileParams) (EvalsetFiles, error) {
	d, err := p.findDocument()
	if err != nil {
		return EvalsetFiles{}, err
	}
	return d.evalsetFiles(), nil
}

// evalsetFiles are the open files that go with an evalset: ADK's configuration, and the
// first recording. A result file has its own conversations.
func (d document) evalsetFiles() (b EvalsetFiles) {
	if d.deps == nil {
		return b
	}
	names := d.deps.listADKFiles()
	if slices.Contains(names, adk.ConfigName) {
		b.Config, _ = d.deps.file(adk.ConfigName)
	}
	if d.ADK() == adk.Results {
		b.Target = path.Base(d.Source().Name)
		return b
	}
	for _, name := range names {
		if adk.IsResultsName(name) {
			b.Recorded, _ = d.deps.file(name)
			b.Target = name
			break
		}
	}
	return b
}

// orSiblings are the files that are given, or else those beside the document.
func (f evaluationFiles) orSiblings(d document) evaluationFiles {
	if f == (evaluationFiles{}) {
		return d.evalsetFiles().evaluationFiles
	}
	return f
}

// evaluationCache is the trial that was asked for last: of one text everything is asked at
// once.
var evaluationCache struct {
	sync.Mutex
	analysis   *analysis.Analysis
	files      evaluationFiles
	evaluation adk.Evaluation
}

// evaluation is an evalset or a result file as it is measured with some files.
func (f evaluationFiles) evaluation(a *analysis.Analysis) (adk.Evaluation, error) {
	evaluationCache.Lock()
	defer evaluationCache.Unlock()
	if evaluationCache.analysis == a && evaluationCache.files == f {
		return evaluationCache.evaluation, nil
	}
	if err := firstError(a, path.Base(a.Source().Name)); err != nil {
		return adk.Evaluation{}, err
	}
	criteria := adk.DefaultCriteria()
	if f.Config != "" {
		err := firstError(analysis.Of(analysis.Input{Path: adk.ConfigName, Text: f.Config}), adk.ConfigName)
		if err != nil {
			return adk.Evaluation{}, err
		}
		if criteria, err = adk.LowerConfig(metric.Latest, adk.Open(adk.ConfigName, f.Config)).RequestedCriteria(); err != nil {
			return adk.Evaluation{}, failf(Refused, "%s: %s", adk.ConfigName, err)
		}
	}
	evaluation, err := f.newEvaluation(a, criteria)
	if err != nil {
		return adk.Evaluation{}, err
	}
	evaluationCache.analysis, evaluationCache.files, evaluationCache.evaluation = a, f, evaluation
	return evaluation, nil
}

// firstError is the first error in a file, which is measured only without any.
func firstError(a *analysis.Analysis, name string) error {
	for _, d := range a.Diagnostics() {
		if d.Severity == diag.Error {
			line := a.Source().OffsetLine(d.Span.Start) + 1
			return failf(Refused, "%s, line %d: %s", name, line, d.Message)
		}
	}
	return nil
}

// newEvaluation sets the conversations that are measured beside what they are measured by.
func (f evaluationFiles) newEvaluation(a *analysis.Analysis, criteria []metric.Criterion) (adk.Evaluation, error) {
	name := path.Base(a.Source().Name)
	if a.ADK() == adk.Results {
		if f.Recorded != "" {
			return adk.Evaluation{}, failf(BadParams, "this file is a recording itself; give `recorded` with its evalset")
		}
		return adk.LowerResults(metric.Latest, adk.OpenCompact(name, a.Slice(text.Span{End: a.Length()}))).Evaluation(criteria), nil
	}
	set := assist.Evalset(a)
	if set.ID == "" {
		set.ID = strings.TrimSuffix(name, path.Ext(name))
	}
	if f.Recorded == "" {
		return set.Evaluation(criteria), nil
	}
	recorded, err := adk.ReadRecording(metric.Latest, adk.OpenCompact("recorded.json", f.Recorded))
	if err != nil {
		return adk.Evaluation{}, failf(Refused, "%s", err)
	}
	return set.Evaluation(criteria, recorded), nil
}

// configureRunner has a runner measure an evalset or a result file, and gives its cases.
func (p runParams) configureRunner(d document, r *run.Runner) (*rubric.Suite, error) {
	files := p.orSiblings(d)
	evaluation, err := files.evaluation(d.Analysis)
	if err != nil {
		return nil, err
	}
	switch {
	case d.ADK() == adk.Results:
		r.TargetName = path.Base(d.Source().Name)
	case files.Recorded == "":
		r.TargetName = adk.SelfTarget
	}
	if r.JudgeName == offline.Name { // which says the same every time
		evaluation = evaluation.WithSamples(1)
	}
	r.Profile, r.Measure = run.MetricProfile(metric.Latest), evaluation.Measure(metric.Ports{Judge: r.Judge, Profile: metric.Latest})
	return evaluation.Suite, nil
}
