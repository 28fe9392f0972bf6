package api

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// metricParams are a metric of ADK's, what is asked of it as a configuration has
// it, and a conversation as an evalset has it. Replies are a judge's, as texts:
// a list in the order of the questions, or an object by the questions' keys. Files
// of ADK's may stand in the place of the criterion and the conversation.
type metricParams struct {
	Name      string          `json:"name"`
	Criterion json.RawMessage `json:"criterion,omitempty"`
	Actual    json.RawMessage `json:"actual,omitempty"`
	Expected  json.RawMessage `json:"expected,omitempty"`
	Rubrics   json.RawMessage `json:"rubrics,omitempty"` // the case's own
	Scenario  json.RawMessage `json:"scenario,omitempty"`
	Replies   json.RawMessage `json:"replies,omitempty"`
	Offline   bool            `json:"offline,omitempty"` // the stand-in judges, not replies
	Profile   metric.Profile  `json:"profile,omitempty"`
	metricFiles
}

// MetricResult is what a metric says of a conversation, and the questions that a
// judge has to be asked before it can say more.
type MetricResult struct {
	metric.Result
	Questions []Question `json:"questions"`
}

func measure(p metricParams) (MetricResult, error) {
	if p.Profile == "" {
		p.Profile = metric.Latest
	}
	if !slices.Contains(metric.Profiles, p.Profile) {
		return MetricResult{}, failf(BadParams, "`profile` is `latest` or `2.0`, not `%s`", p.Profile)
	}
	criterion, err := p.criterion()
	if err != nil {
		return MetricResult{}, err
	}
	conversation, err := p.conversation()
	if err != nil {
		return MetricResult{}, err
	}
	answers, err := ReadGiven(p.Replies)
	if err != nil {
		return MetricResult{}, err
	}
	ports := metric.Ports{Judge: answers, Profile: p.Profile}
	if p.Offline {
		ports.Judge = offline.Judge{}
	}
	result := metric.Evaluate(context.Background(), ports, criterion, conversation)
	return MetricResult{Result: result, Questions: answers.Questions()}, nil
}

func (p metricParams) criterion() (metric.Criterion, error) {
	if !slices.Contains(metric.Names, p.Name) {
		return metric.Criterion{}, misnamed("name", "metric", p.Name, metric.Names, listed(metric.Names))
	}
	if len(p.Criterion) == 0 && p.Config != "" {
		return finite(p.metricFiles.criterion(p.Profile, p.Name))
	}
	if len(p.Criterion) == 0 {
		return metric.Criterion{}, failf(BadParams, "`criterion` is a threshold, or an object that has one")
	}
	n := node(p.Criterion)
	c, refused := adk.CriterionOf(p.Profile, p.Name, n)
	if err := fits("criterion", p.Criterion, refused); err != nil {
		return c, err
	}
	return finite(c, nil)
}

// finite refuses a threshold that JSON cannot show.
func finite(c metric.Criterion, err error) (metric.Criterion, error) {
	if err == nil && (math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0)) {
		return c, failf(BadParams, "`threshold` is no finite number")
	}
	c.Judge.Parallel = 1 // so that replies in a list have an order
	return c, err
}

func (p metricParams) conversation() (c metric.Conversation, err error) {
	if len(p.Actual) == 0 && p.Evalset != "" {
		return p.metricFiles.conversation(p.Profile)
	}
	if len(p.Actual) == 0 {
		return c, failf(BadParams, "`actual` is the turns of the conversation, as an evalset has them")
	}
	var refused []adk.Refusal
	c.Actual, refused = adk.Invocations(p.Profile, node(p.Actual))
	if err := fits("actual", p.Actual, refused); err != nil {
		return c, err
	}
	if len(p.Expected) > 0 {
		c.Expected, refused = adk.Invocations(p.Profile, node(p.Expected))
		if err := fits("expected", p.Expected, refused); err != nil {
			return c, err
		}
	}
	if len(p.Scenario) > 0 {
		c.Scenario, refused = adk.ScenarioOf(p.Profile, node(p.Scenario))
		if err := fits("scenario", p.Scenario, refused); err != nil {
			return c, err
		}
	}
	var rubrics []metric.Rubric
	if len(p.Rubrics) > 0 {
		rubrics, refused = adk.Rubrics(p.Profile, node(p.Rubrics))
		if err := fits("rubrics", p.Rubrics, refused); err != nil {
			return c, err
		}
	}
	merged, err := metric.WithRubrics(rubrics, c)
	if err != nil {
		return c, failf(BadParams, "%s", err)
	}
	return merged, nil
}

func node(raw json.RawMessage) *yaml.Node { return yaml.Parse(text.New("", string(raw))).Root() }

// fits says which part of a parameter ADK would refuse.
func fits(name string, raw json.RawMessage, refused []adk.Refusal) error {
	if len(refused) == 0 {
		return nil
	}
	const longest = 60
	part := []rune(string(raw[refused[0].Span.Start:refused[0].Span.End]))
	if len(part) > longest {
		part = append(part[:longest], '…')
	}
	return failf(BadParams, "`%s` has what ADK refuses (%s): `%s`", name, refused[0].Kind, string(part))
}
