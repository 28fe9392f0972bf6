package api

import (
	"context"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// measureParams are a case of an evalset, and what stands in a judge's place: verdicts
// that somebody types, the best for what nothing is typed, and before them raw replies
// by the keys of questions.
type measureParams struct {
	caseParams
	Grades    []metric.ManualVerdict `json:"grades,omitempty"`
	Replies   map[string]string      `json:"replies,omitempty"`
	Flips     bool                   `json:"flips,omitempty"`     // asks what would flip a metric, too
	Questions bool                   `json:"questions,omitempty"` // asks for the questions' texts, too
	evaluationFiles
}

// MeasureResult is what the metrics say of a case. Untried is how many other verdicts
// were not tried for Flips, since there are too many.
type MeasureResult struct {
	Status  metric.Status         `json:"final_eval_status"`
	Reason  string                `json:"reason,omitempty"`
	Metrics []MeasuredMetric      `json:"metrics"`
	Flips   []adk.FlippingVerdict `json:"flips,omitempty"`
	Untried int                   `json:"untried,omitempty"`
}

// MeasuredMetric is what a metric says, what it is asked to be, and what a judge is
// asked for it.
type MeasuredMetric struct {
	metric.Result
	Match      string         `json:"match_type,omitempty"` // of tool calls
	IgnoreArgs bool           `json:"ignore_args,omitempty"`
	Asked      []TurnQuestion `json:"asked"`
}

// TurnQuestion is a question about a turn, and what is said to each thing in it.
type TurnQuestion struct {
	Turn    int                  `json:"turn"` // from 1
	Key     string               `json:"key"`  // under which a raw reply is given
	Samples int                  `json:"samples"`
	Form    metric.JudgementForm `json:"form"`
	Items   []metric.ManualItem  `json:"items"` // none for a text that is to be cut into sentences
	System  string               `json:"system,omitempty"`
	User    string               `json:"user,omitempty"`
	Schema  json.RawMessage      `json:"schema,omitempty"`
}

func evaluateTyped(p measureParams) (MeasureResult, error) {
	d, err := p.findDocument()
	if err != nil {
		return MeasureResult{}, err
	}
	if !isMeasured(d.Analysis) {
		return MeasureResult{}, failf(BadParams, "this file is no evalset and no result file; `grade` reckons its cases")
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
	if len(p.Replies) == 0 { // typed ones tell nobody anything
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

// lastMetrics are what metrics last said of a case, if that still holds.
func (d document) lastMetrics(c *rubric.Case) []metric.Result {
	if last, ran := d.lastResults[c.ID]; ran && last.Record.CaseFingerprint == c.Fingerprint() {
		return last.Record.MetricResults()
	}
	return nil
}
