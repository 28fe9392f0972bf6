package api

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// metricParams are an ADK metric, its criterion as in a configuration, and a conversation as in an
// evalset. Replies are a judge's texts: a list in the order of the questions, or an object by their
// keys. ADK files can replace the criterion and the conversation.
type metricParams struct {
	Name      string          `json:"name"`
	Criterion json.RawMessage `json:"criterion,omitempty"`
	Actual    json.RawMessage `json:"actual,omitempty"`
	Expected  json.RawMessage `json:"expected,omitempty"`
	Rubrics   json.RawMessage `json:"rubrics,omitempty"` // of the case
	Scenario  json.RawMessage `json:"scenario,omitempty"`
	Replies   json.RawMessage `json:"replies,omitempty"`
	Offline   bool            `json:"offline,omitempty"` // the offline judge answers instead of replies
	Profile   metric.Profile  `json:"profile,omitempty"`
	metricFiles
}

// MetricResult is a metric's result, and the questions that a judge must answer first.
type MetricResult struct {
	metric.Result
	Questions []Question `json:"questions"`
}

func evaluateMetric(p metricParams) (MetricResult, error) {
	if p.Profile = cmp.Or(p.Profile, metric.Latest); !slices.Contains(metric.Profiles, p.Profile) {
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
		return metric.Criterion{}, failf(BadParams, "`criterion` is missing; give a threshold, or an object with one")
	}
	read := func(profile metric.Profile, n *yaml.Node) (metric.Criterion, []adk.Refusal) {
		return adk.ReadCriterion(profile, p.Name, n)
	}
	return checkFinite(readParam(p, "criterion", p.Criterion, read))
}

// checkFinite rejects a threshold that JSON cannot represent.
func checkFinite(c metric.Criterion, err error) (metric.Criterion, error) {
	if err == nil && (math.IsNaN(c.Threshold) || math.IsInf(c.Threshold, 0)) {
		return c, failf(BadParams, "`threshold` must be a finite number")
	}
	c.Judge.Parallel = 1 // replies in a list need an order
	return c, err
}

func (p metricParams) conversation() (c metric.Conversation, err error) {
	if len(p.Actual) == 0 && p.Evalset != "" {
		return p.metricFiles.conversation(p.Profile)
	}
	if len(p.Actual) == 0 {
		return c, failf(BadParams, "`actual` is missing; give the turns of the conversation as in an evalset")
	}
	if c.Actual, err = readParam(p, "actual", p.Actual, adk.ReadInvocations); err != nil {
		return c, err
	}
	if c.Expected, err = readParam(p, "expected", p.Expected, adk.ReadInvocations); err != nil {
		return c, err
	}
	if c.Scenario, err = readParam(p, "scenario", p.Scenario, adk.ReadScenario); err != nil {
		return c, err
	}
	rubrics, err := readParam(p, "rubrics", p.Rubrics, adk.ReadRubrics)
	if err != nil {
		return c, err
	}
	merged, err := metric.WithRubrics(rubrics, c)
	if err != nil {
		return c, failf(BadParams, "%s", err)
	}
	return merged, nil
}

// readParam reads a parameter that holds a part of an ADK file. It returns the zero value for an
// empty parameter, and an error that names the part that ADK refuses.
func readParam[T any](p metricParams, name string, raw json.RawMessage, read func(metric.Profile, *yaml.Node) (T, []adk.Refusal)) (value T, err error) {
	if len(raw) == 0 {
		return value, nil
	}
	value, refusals := read(p.Profile, yaml.Parse(text.New("", string(raw))).Root())
	if len(refusals) == 0 {
		return value, nil
	}
	const longest = 60
	excerpt := []rune(string(raw[refusals[0].Span.Start:refusals[0].Span.End]))
	if len(excerpt) > longest {
		excerpt = append(excerpt[:longest], '…')
	}
	return value, failf(BadParams, "ADK refuses a part of `%s` (%s): `%s`", name, refusals[0].Kind, string(excerpt))
}

// metricFiles are texts of ADK files that replace the conversation and the criterion.
type metricFiles struct {
	Evalset  string `json:"evalset,omitempty"`
	Recorded string `json:"recorded,omitempty"` // an .evalset_result.json or an evalset; without it, the evalset's own conversation is measured
	Config   string `json:"config,omitempty"`   // a test_config.json
	Case     string `json:"case,omitempty"`     // optional if there is only one case
}

// conversation returns the conversation of the case, with its rubrics.
func (f metricFiles) conversation(p metric.Profile) (c metric.Conversation, err error) {
	set := adk.LowerSet(p, adk.Open("evalset.json", f.Evalset))
	if set.Refused {
		return c, failf(BadParams, "ADK refuses `evalset`; `check` shows why")
	}
	var recorded []adk.Recording
	if f.Recorded != "" {
		file := adk.Open("recorded.json", f.Recorded)
		r := adk.LowerResults(p, file)
		if file.Role != adk.Results {
			r = adk.LowerSet(p, file).Recording()
		}
		if r.Refused {
			return c, failf(BadParams, "`recorded` has no conversations that ADK would read")
		}
		recorded = append(recorded, r)
	}
	evaluation := set.Evaluation(nil, recorded...)
	chosen, err := findInSuite(evaluation.Suite, f.Case)
	if err != nil {
		return c, err
	}
	c = evaluation.Conversation(chosen)
	if c.Actual == nil {
		return c, failf(BadParams, "no conversation of the case `%s` is recorded", chosen.ID)
	}
	for _, own := range set.Cases {
		if own.ID == chosen.ID {
			c, err = metric.WithRubrics(own.Rubrics, c)
			break
		}
	}
	if err != nil {
		return c, failf(BadParams, "%s", err)
	}
	return c, nil
}

// criterion returns the configured criterion of a metric.
func (f metricFiles) criterion(p metric.Profile, name string) (metric.Criterion, error) {
	settings := adk.LowerConfig(p, adk.Open("test_config.json", f.Config))
	c := settings.Criterion(name)
	switch {
	case settings.Refused:
		return metric.Criterion{}, failf(BadParams, "ADK refuses `config`; `check` shows why")
	case c == nil:
		return metric.Criterion{}, failf(BadParams, "`config` does not configure `%s`", name)
	case c.Skipped:
		return metric.Criterion{}, failf(BadParams, "ADK does not evaluate `%s` with this `config`; `check` shows why", name)
	}
	return c.Criterion, nil
}

// measureParams are a case of an evalset and replacements for a judge: raw replies by question key,
// or else verdicts that the user types. Missing verdicts count as the best ones.
type measureParams struct {
	caseParams
	Grades    []metric.ManualVerdict `json:"grades,omitempty"`
	Replies   map[string]string      `json:"replies,omitempty"`
	Flips     bool                   `json:"flips,omitempty"`     // also return what would flip a metric
	Questions bool                   `json:"questions,omitempty"` // also return the texts of the questions
	evaluationFiles
}

// MeasureResult holds the metrics of a case. Untried is how many verdicts Flips did not try,
// because there are too many.
type MeasureResult struct {
	Status  metric.Status         `json:"final_eval_status"`
	Reason  string                `json:"reason,omitempty"`
	Metrics []MeasuredMetric      `json:"metrics"`
	Flips   []adk.FlippingVerdict `json:"flips,omitempty"`
	Untried int                   `json:"untried,omitempty"`
	Took    string                `json:"took,omitempty"` // by the agent: the informational metrics, in words
}

// MeasuredMetric is a metric's result, its configuration and its questions to a judge.
type MeasuredMetric struct {
	metric.Result
	Match      string         `json:"match_type,omitempty"` // of tool calls
	IgnoreArgs bool           `json:"ignore_args,omitempty"`
	Asked      []TurnQuestion `json:"asked"`
}

// TurnQuestion is a judge's question about one turn, with the verdict on each of its items.
type TurnQuestion struct {
	Turn    int                  `json:"turn"` // from 1
	Key     string               `json:"key"`  // the key of a raw reply
	Samples int                  `json:"samples"`
	Form    metric.JudgementForm `json:"form"`
	Items   []metric.ManualItem  `json:"items"` // empty if a reply must first split the text into sentences
	System  string               `json:"system,omitempty"`
	User    string               `json:"user,omitempty"`
	Schema  json.RawMessage      `json:"schema,omitempty"`
}

func evaluateTyped(d document, p measureParams) (MeasureResult, error) {
	if !d.ADK().IsMeasured() {
		return MeasureResult{}, failf(BadParams, "this file is not an evalset or a result file; use `grade`")
	}
	evaluation, err := p.orSiblings(d).evaluation(d.Analysis)
	if err != nil {
		return MeasureResult{}, err
	}
	c, err := findInSuite(evaluation.Suite, p.Case)
	if err != nil {
		return MeasureResult{}, err
	}
	ports := metric.Ports{Profile: metric.Latest, Manual: &metric.ManualVerdicts{Verdicts: p.Grades, Replies: p.Replies, LastResults: d.lastMetrics(c)}}
	found, err := evaluation.Measure(ports)(context.Background(), c)
	if err != nil {
		return MeasureResult{Status: metric.NotEvaluated, Reason: err.Error(), Metrics: []MeasuredMetric{}}, nil
	}
	result := MeasureResult{Status: found.Status, Reason: found.Reason, Metrics: []MeasuredMetric{}}
	if p.Flips {
		result.Flips, result.Untried = evaluation.FindFlips(context.Background(), c, ports, found)
	}
	if found.Informational != nil {
		result.Took = found.Informational.PerTurn()
	}
	questions := ports.Manual.Questions()
	for i, r := range found.Metrics {
		result.Metrics = append(result.Metrics, p.measuredMetric(r, evaluation.Criteria[i], questions))
	}
	return result, nil
}

func (p measureParams) measuredMetric(r metric.Result, c metric.Criterion, asked []metric.ManualQuestion) MeasuredMetric {
	m := MeasuredMetric{Result: r, Asked: []TurnQuestion{}}
	if c.Metric == metric.ToolTrajectory {
		m.Match, m.IgnoreArgs = c.Match.String(), c.IgnoreArgs
	}
	if len(p.Replies) == 0 { // typed replies contain nothing new
		for i := range m.Invocations {
			m.Invocations[i].Replies = nil
		}
	}
	for _, a := range asked {
		if a.Metric != r.Metric {
			continue
		}
		question := TurnQuestion{Turn: a.Turn, Key: metric.ReplyKey(a.Question), Samples: a.Samples, Form: a.Form, Items: append([]metric.ManualItem{}, a.Items...)}
		if p.Questions {
			question.System, question.User, question.Schema = a.Question.System, a.Question.User, a.Question.Schema
		}
		m.Asked = append(m.Asked, question)
	}
	return m
}

// lastMetrics returns the last results of a case's metrics, if the case has not changed.
func (d document) lastMetrics(c *rubric.Case) []metric.Result {
	if all := d.lastResults.of(c.ID, ""); len(all) > 0 && all[0].Record.CaseFingerprint == c.Fingerprint() {
		return all[0].Record.MetricResults()
	}
	return nil
}
