package api

import (
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// metricFiles are ADK's own files, as texts, in the place of a conversation and of
// what is asked of it.
type metricFiles struct {
	Evalset  string `json:"evalset,omitempty"`
	Recorded string `json:"recorded,omitempty"` // an .evalset_result.json or an evalset; without it the evalset's own is measured
	Config   string `json:"config,omitempty"`   // a test_config.json
	Case     string `json:"case,omitempty"`     // may be left out if there is one only
}

// conversation is that of the case, with its rubrics.
func (f metricFiles) conversation(p metric.Profile) (c metric.Conversation, err error) {
	set := adk.LowerSet(p, adk.Open("evalset.json", f.Evalset))
	if adk.IsRefused(set.Losses) {
		return c, failf(BadParams, "`evalset` is one that ADK refuses; `check` says why")
	}
	var recorded []adk.Recording
	if f.Recorded != "" {
		file := adk.Open("recorded.json", f.Recorded)
		r := adk.LowerResults(p, file)
		if file.Role != adk.Results {
			r = adk.LowerSet(p, file).Recording()
		}
		if adk.IsRefused(r.Losses) {
			return c, failf(BadParams, "`recorded` holds no conversations that ADK would read")
		}
		recorded = append(recorded, r)
	}
	evaluation := set.Evaluation(nil, recorded...)
	of, err := findInSuite(evaluation.Suite, f.Case)
	if err != nil {
		return c, err
	}
	c = evaluation.Conversation(of)
	if c.Actual == nil {
		return c, failf(BadParams, "no conversation of the case `%s` is recorded", of.ID)
	}
	for _, own := range set.Cases {
		if own.ID == of.ID {
			c, err = metric.WithRubrics(own.Rubrics, c)
			break
		}
	}
	if err != nil {
		return c, failf(BadParams, "%s", err)
	}
	return c, nil
}

// criterion is what the configuration asks of a metric.
func (f metricFiles) criterion(p metric.Profile, name string) (metric.Criterion, error) {
	settings := adk.LowerConfig(p, adk.Open("test_config.json", f.Config))
	c := settings.Criterion(name)
	switch {
	case adk.IsRefused(settings.Losses):
		return metric.Criterion{}, failf(BadParams, "`config` is one that ADK refuses; `check` says why")
	case c == nil:
		return metric.Criterion{}, failf(BadParams, "`config` asks nothing of `%s`", name)
	case c.Skipped:
		return metric.Criterion{}, failf(BadParams, "ADK does not evaluate `%s` as `config` has it; `check` says why", name)
	}
	return c.Criterion, nil
}
