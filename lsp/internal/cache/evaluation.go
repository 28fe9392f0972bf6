package cache

import (
	"cmp"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/dialect/adk"
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
	cases   []*cachedCase
}

// newEvaluation pairs a file's conversations with the recorded ones. Each metric becomes a
// grader of each case, so that results have the same form as in other dialects.
func newEvaluation(a *analysis.Analysis, env *environment, inputs *evalsetInputs) *Evaluation {
	e := &Evaluation{evalsetInputs: inputs, profile: env.project.Run.ADK}
	if a.ADK() == adk.Results {
		e.Evaluation = ide.Recording(a).Evaluation(inputs.criteria)
	} else {
		e.Evaluation = ide.Evalset(a).Evaluation(inputs.criteria, inputs.recordings...)
	}
	e.Suite.Name = cmp.Or(e.Suite.Name, convert.Stem(env.input.Path))
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

// Conversations returns what a run measures.
func (e *Evaluation) Conversations() *run.Conversations {
	return &run.Conversations{Source: e.targetName, Profile: e.profile, Metrics: e.Criteria, Measure: e.MeasureSamples}
}

// Messages returns notes and problems for the user.
func (e *Evaluation) Messages() []string { return slices.Concat(e.notes, e.Problems) }
