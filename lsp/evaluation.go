package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// evaluation is an evalset of ADK as it would be measured now. It stands in the place of
// the suite that other files have.
type evaluation struct {
	adk.Evaluation
	*evalsetInputs
	profile metric.Profile
	cases   []*cachedCase // its cases
}

// evaluation is that of a document; nil if it is no evalset and no result file.
func (s *snapshot) evaluation(d *document) *evaluation {
	switch d.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns, adk.Results:
	default:
		return nil
	}
	inputs := d.deps.evalsetInputs(s.RunSettings.Recorded)
	if e := d.evaluation.Load(); e != nil && e.evalsetInputs == inputs {
		return e
	}
	e := d.newEvaluation(inputs)
	d.evaluation.Store(e)
	return e
}

// newEvaluation sets a document's conversations beside those that were recorded. Each metric
// is a grader of each case, so that what it came to is kept as a grader's is.
func (d *document) newEvaluation(inputs *evalsetInputs) *evaluation {
	profile := d.deps.profile
	e := &evaluation{evalsetInputs: inputs, profile: profile}
	if d.ADK() == adk.Results {
		e.Evaluation = assist.Recording(d.Analysis).Evaluation(inputs.criteria)
	} else {
		e.Evaluation = assist.Evalset(d.Analysis).Evaluation(inputs.criteria, inputs.recordings...)
	}
	e.Suite.Name = cmp.Or(e.Suite.Name, evalsetName(d.deps.input.Path))
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

// runnableSuite is what can be run in a document.
func (s *snapshot) runnableSuite(d *document) *rubric.Suite {
	if e := s.evaluation(d); e != nil {
		return e.Suite
	}
	return d.Suite()
}

// withSamples is the trial with a judge that is asked as often as was ordered, or else
// as the configuration says. The offline one says the same every time.
func (e *evaluation) withSamples(settings RunSettings) adk.Evaluation {
	switch {
	case settings.Samples > defaultSamples:
		return e.Evaluation.WithSamples(settings.Samples)
	case settings.Judge == offline.Name:
		return e.Evaluation.WithSamples(1)
	}
	return e.Evaluation
}

// configureRunner has a runner measure the trial through some ports.
func (e *evaluation) configureRunner(r *run.Runner, ports metric.Ports, settings RunSettings) {
	ports.Profile = e.profile
	r.TargetName, r.Profile = e.targetName, run.MetricProfile(e.profile)
	r.Measure = e.withSamples(settings).Measure(ports)
}

// countQuestions is how many a judge, and whoever moderates, would be asked of some
// cases. The offline judge answers, so that what depends on an answer is asked too.
func (e *evaluation) countQuestions(ctx context.Context, cases []*rubric.Case, settings RunSettings) int {
	var count atomic.Int64
	counting := judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		count.Add(1)
		return offline.Judge{}.Ask(ctx, q)
	})
	ports := metric.Ports{Judge: counting, Profile: e.profile}
	if settings.Moderation != "" {
		ports.Moderate = func(context.Context, string) ([]metric.RubricScore, error) {
			count.Add(1)
			return nil, nil
		}
	}
	measure := e.withSamples(settings).Measure(ports)
	for _, c := range cases {
		if ctx.Err() == nil {
			_, _ = measure(ctx, c) // without a conversation there is nothing to ask
		}
	}
	return int(count.Load())
}

// messages is what whoever runs the trial should know.
func (e *evaluation) messages() []string { return slices.Concat(e.notes, e.Problems) }

// evaluationError is why a document's trial cannot be run, though nothing is wrong with the
// document.
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
			return fmt.Errorf("nothing is run while `%s` has an error: %s", adk.ConfigName, found.Message)
		}
	}
	return e.err
}
