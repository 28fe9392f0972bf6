package api

import (
	"path"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// trialFiles are the texts that stand beside an evalset of ADK's.
type trialFiles struct {
	Config   string `json:"config,omitempty"`   // a test_config.json; without it what ADK measures without one
	Recorded string `json:"recorded,omitempty"` // an .evalset_result.json or an evalset; without it the evalset's own is measured
}

// isEvalset reports whether metrics measure a file, and graders do not.
func isEvalset(a *analysis.Analysis) bool {
	switch a.ADK() {
	case adk.EvalSet, adk.Older, adk.Turns:
		return true
	}
	return false
}

// measure has a runner measure an evalset, and gives its cases.
func (p runParams) measure(a *analysis.Analysis, r *run.Runner) (*rubric.Suite, error) {
	profile, criteria := metric.Latest, adk.Defaults()
	if p.Config != "" {
		var err error
		if criteria, err = adk.LowerConfig(profile, adk.Open(adk.ConfigName, p.Config)).Asked(); err != nil {
			return nil, failf(Refused, "%s: %s", adk.ConfigName, err)
		}
	}
	name := path.Base(a.Source().Name)
	set := adk.LowerSet(profile, adk.Glance(name, a.Source().Body))
	if set.ID == "" {
		set.ID = strings.TrimSuffix(name, path.Ext(name))
	}
	var recorded []adk.Recording
	if p.Recorded != "" {
		one, err := adk.ReadRecording(profile, adk.Glance("recorded.json", p.Recorded))
		if err != nil {
			return nil, failf(Refused, "%s", err)
		}
		recorded = append(recorded, one)
	} else {
		r.TargetName = adk.Self
	}
	trial := set.Trial(criteria, recorded...)
	if r.JudgeName == offline.Name { // which says the same every time
		trial = trial.Sampled(1)
	}
	r.Profile, r.Measure = run.ProfileOf(profile), trial.Measure(metric.Ports{Judge: r.Judge, Profile: profile})
	return trial.Suite, nil
}
