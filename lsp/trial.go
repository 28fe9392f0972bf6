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

// trial is an evalset of ADK as it would be measured now. It stands in the place of
// the suite that other files have.
type trial struct {
	adk.Trial
	*kit
	profile metric.Profile
	tried   []*tried // its cases
}

// trial is that of a document; nil if it is no evalset and no result file.
func (at *Snapshot) trial(d *Document) *trial {
	switch d.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns, adk.Results:
	default:
		return nil
	}
	k := d.beside.kit(at.Running.Recorded)
	if t := d.trial.Load(); t != nil && t.kit == k {
		return t
	}
	t := d.try(k)
	d.trial.Store(t)
	return t
}

// try sets a document's conversations beside those that were recorded. Each metric
// is a grader of each case, so that what it came to is kept as a grader's is.
func (d *Document) try(k *kit) *trial {
	profile := d.beside.profile
	t := &trial{kit: k, profile: profile}
	if d.ADK() == adk.Results {
		t.Trial = assist.Recorded(d.Analysis).Trial(k.criteria)
	} else {
		t.Trial = assist.Evalset(d.Analysis).Trial(k.criteria, k.recorded...)
	}
	t.Suite.Name = cmp.Or(t.Suite.Name, setName(d.beside.input.Path))
	var metrics []*rubric.Grader
	for _, c := range k.criteria {
		metrics = append(metrics, &rubric.Grader{Name: c.Metric, Kind: rubric.Metric, Weight: 1})
	}
	for _, c := range t.Suite.Cases {
		c.Graders = metrics
		t.tried = append(t.tried, &tried{Case: c})
	}
	return t
}

// suite is what can be run in a document.
func (at *Snapshot) suite(d *Document) *rubric.Suite {
	if t := at.trial(d); t != nil {
		return t.Suite
	}
	return d.Suite()
}

// sampled is the trial with a judge that is asked as often as was ordered, or else
// as the configuration says. The offline one says the same every time.
func (t *trial) sampled(how Running) adk.Trial {
	switch {
	case how.Samples > usualSamples:
		return t.Trial.Sampled(how.Samples)
	case how.Judge == offline.Name:
		return t.Trial.Sampled(1)
	}
	return t.Trial
}

// measure has a runner measure the trial through some ports.
func (t *trial) measure(r *run.Runner, through metric.Ports, how Running) {
	through.Profile = t.profile
	r.TargetName, r.Profile = t.speaker, run.ProfileOf(t.profile)
	r.Measure = t.sampled(how).Measure(through)
}

// questions is how many a judge, and whoever moderates, would be asked of some
// cases. The offline judge answers, so that what depends on an answer is asked too.
func (t *trial) questions(ctx context.Context, cases []*rubric.Case, how Running) int {
	var asked atomic.Int64
	counting := judge.Func(func(ctx context.Context, q judge.Question) (judge.Answer, error) {
		asked.Add(1)
		return offline.Judge{}.Ask(ctx, q)
	})
	ports := metric.Ports{Judge: counting, Profile: t.profile}
	if how.Moderation != "" {
		ports.Moderate = func(context.Context, string) ([]metric.RubricScore, error) {
			asked.Add(1)
			return nil, nil
		}
	}
	measure := t.sampled(how).Measure(ports)
	for _, c := range cases {
		if ctx.Err() == nil {
			_, _ = measure(ctx, c) // without a conversation there is nothing to ask
		}
	}
	return int(asked.Load())
}

// said is what whoever runs the trial should know.
func (t *trial) said() []string { return slices.Concat(t.notes, t.Problems) }

// unfit is why a document's trial cannot be run, though nothing is wrong with the
// document.
func (at *Snapshot) unfit(d *Document) error {
	t := at.trial(d)
	if t == nil {
		return nil
	}
	body, configured := d.beside.config()
	if !configured {
		return t.fault
	}
	u := uri.File(filepath.Join(filepath.Dir(d.URI.FsPath()), adk.ConfigName))
	for _, found := range at.session.look(u).of(body).Diagnostics() {
		if found.Severity == diag.Error {
			return fmt.Errorf("nothing is run while `%s` has an error: %s", adk.ConfigName, found.Message)
		}
	}
	return t.fault
}
