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

func evaluateMetric(p metricParams) (MetricResult, error) {
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
	answers, err := ParseReplies(p.Replies)
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
		return metric.Criterion{}, unknownName("name", "metric", p.Name, metric.Names, listNames(metric.Names))
	}
	if len(p.Criterion) == 0 && p.Config != "" {
		return checkFinite(p.metricFiles.criterion(p.Profile, p.Name))
	}
	if len(p.Criterion) == 0 {
		return metric.Criterion{}, failf(BadParams, "`criterion` is a threshold, or an object that has one")
	}
	n := parseNode(p.Criterion)
	c, refusals := adk.ReadCriterion(p.Profile, p.Name, n)
	if err := checkRefusals("criterion", p.Criterion, refusals); err != nil {
		return c, err
	}
	return checkFinite(c, nil)
}

// checkFinite refuses a threshold that JSON cannot show.
func checkFinite(c metric.Criterion, err error) (metric.Criterion, error) {
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
	var refusals []adk.Refusal
	c.Actual, refusals = adk.ReadInvocations(p.Profile, parseNode(p.Actual))
	if err := checkRefusals("actual", p.Actual, refusals); err != nil {
		return c, err
	}
	if len(p.Expected) > 0 {
		c.Expected, refusals = adk.ReadInvocations(p.Profile, parseNode(p.Expected))
		if err := checkRefusals("expected", p.Expected, refusals); err != nil {
			return c, err
		}
	}
	if len(p.Scenario) > 0 {
		c.Scenario, refusals = adk.ReadScenario(p.Profile, parseNode(p.Scenario))
		if err := checkRefusals("scenario", p.Scenario, refusals); err != nil {
			return c, err
		}
	}
	var rubrics []metric.Rubric
	if len(p.Rubrics) > 0 {
		rubrics, refusals = adk.ReadRubrics(p.Profile, parseNode(p.Rubrics))
		if err := checkRefusals("rubrics", p.Rubrics, refusals); err != nil {
			return c, err
		}
	}
	merged, err := metric.WithRubrics(rubrics, c)
	if err != nil {
		return c, failf(BadParams, "%s", err)
	}
	return merged, nil
}

func parseNode(raw json.RawMessage) *yaml.Node { return yaml.Parse(text.New("", string(raw))).Root() }

// checkRefusals says which part of a parameter ADK would refuse.
func checkRefusals(name string, raw json.RawMessage, refusals []adk.Refusal) error {
	if len(refusals) == 0 {
		return nil
	}
	const longest = 60
	excerpt := []rune(string(raw[refusals[0].Span.Start:refusals[0].Span.End]))
	if len(excerpt) > longest {
		excerpt = append(excerpt[:longest], '…')
	}
	return failf(BadParams, "`%s` has what ADK refuses (%s): `%s`", name, refusals[0].Kind, string(excerpt))
}
