package cache

import (
	"cmp"
	"fmt"

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
	var metrics []*rubric.Grader
	for _, c := range criteria {
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
