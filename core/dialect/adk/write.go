package adk

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
)

// Run is what was measured of an evalset. Who ran it names it and says when: in
// seconds since 1970.
type Run struct {
	ID, SetID string
	CreatedAt float64
	Cases     iter.Seq[MeasuredCase]
}

// MeasuredCase is one case of a run: its conversation, and what was measured of it.
type MeasuredCase struct {
	ID string
	metric.Conversation
	Result metric.CaseResult
}

// statusNumbers are the numbers that ADK writes for them.
var statusNumbers = map[metric.Status]int{metric.Passed: 1, metric.Failed: 2, metric.NotEvaluated: 3}

type setResultJSON struct {
	ID    string   `json:"eval_set_result_id"`
	Name  string   `json:"eval_set_result_name"`
	SetID string   `json:"eval_set_id"`
	Cases struct{} `json:"eval_case_results"` // in whose place they are written
	At    float64  `json:"creation_timestamp"`
}

type caseResultJSON struct {
	SetID   string             `json:"eval_set_id"`
	ID      string             `json:"eval_id"`
	Status  int                `json:"final_eval_status"`
	Overall []metricResultJSON `json:"overall_eval_metric_results"`
	PerTurn []turnResultJSON   `json:"eval_metric_result_per_invocation"`
	Session string             `json:"session_id"`
}

type turnResultJSON struct {
	Actual   turnJSON           `json:"actual_invocation"`
	Expected *turnJSON          `json:"expected_invocation,omitempty"`
	Metrics  []metricResultJSON `json:"eval_metric_results"`
}

type metricResultJSON struct {
	Metric    string      `json:"metric_name"`
	Threshold *float64    `json:"threshold,omitempty"`
	Score     *float64    `json:"score,omitempty"`
	Status    int         `json:"eval_status"`
	Details   detailsJSON `json:"details"`
}

type detailsJSON struct {
	Rubrics []metric.RubricScore `json:"rubric_scores,omitempty"`
}

// Write writes the run as ADK does to an .evalset_result.json, each case as it comes. Why
// something was not evaluated has no place there.
func (r Run) Write(w io.Writer) error {
	around, err := encodeIndented(setResultJSON{ID: r.ID, Name: r.ID, SetID: r.SetID, At: r.CreatedAt})
	if err != nil {
		return err
	}
	const place = `"eval_case_results": `
	head, tail, _ := strings.Cut(string(around), place+"{}")
	out := bufio.NewWriter(w) // whose error comes back at its Flush
	out.WriteString(head + place)
	before, after := "[", "[]"
	for c := range r.Cases {
		text, err := encodeIndentedAt("    ", c.encode(r.SetID))
		if err != nil {
			return err
		}
		out.WriteString(before + "\n    ")
		out.Write(bytes.TrimSuffix(text, []byte("\n")))
		before, after = ",", "\n  ]"
	}
	out.WriteString(after + tail)
	return out.Flush()
}

func (m MeasuredCase) encode(set string) caseResultJSON {
	c := caseResultJSON{SetID: set, ID: m.ID, Status: statusNumbers[m.Result.Status], Overall: []metricResultJSON{}, PerTurn: []turnResultJSON{}}
	for _, r := range m.Result.Metrics {
		c.Overall = append(c.Overall, encodeMetric(r, r.Score, r.Status, r.Rubrics))
	}
	for i, actual := range m.Actual {
		t := turnResultJSON{Actual: encodeInvocation(actual), Metrics: []metricResultJSON{}}
		if i < len(m.Expected) {
			expected := encodeInvocation(m.Expected[i])
			t.Expected = &expected
		}
		for _, r := range m.Result.Metrics {
			turn := metric.InvocationResult{Status: metric.NotEvaluated}
			if i < len(r.Invocations) {
				turn = r.Invocations[i]
			}
			t.Metrics = append(t.Metrics, encodeMetric(r, turn.Score, turn.Status, turn.Rubrics))
		}
		c.PerTurn = append(c.PerTurn, t)
	}
	return c
}

func encodeMetric(r metric.Result, score *float64, status metric.Status, rubrics []metric.RubricScore) metricResultJSON {
	w := metricResultJSON{Metric: r.Metric, Score: score, Status: statusNumbers[status], Details: detailsJSON{rubrics}}
	if !math.IsNaN(r.Threshold) && !math.IsInf(r.Threshold, 0) {
		w.Threshold = &r.Threshold
	}
	return w
}
