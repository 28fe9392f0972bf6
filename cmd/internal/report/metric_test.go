package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestMetrics: a metric is shown with its threshold and its turns, those in a row
// that are the same as one, in the table and on the page.
func TestMetrics(t *testing.T) {
	one, none, mean := 1.0, 0.0, 0.75
	turn := func(value *float64, reason string) metric.InvocationResult {
		status := metric.Passed
		if *value == 0 {
			status = metric.Failed
		}
		return metric.InvocationResult{Score: value, Status: status, Reason: reason}
	}
	rec := run.Record{EvalID: "c", Profile: run.MetricProfile(metric.Latest), Verdict: score.Fail, Reasons: []string{"so"}, Graders: []run.GraderRecord{
		{Name: "calls", Type: rubric.Metric, Weight: 1, Result: score.Result{Score: 0.75, Verdict: score.Fail}, Metric: &metric.Result{
			Metric: "calls", Threshold: 0.9, Score: &mean, Status: metric.Failed, TurnMean: &mean,
			Invocations: []metric.InvocationResult{turn(&one, ""), turn(&one, ""), turn(&none, "no `f`"), turn(&one, "")}}},
		{Name: "safe", Type: rubric.Metric, Weight: 1, Result: score.UngradedResult("no judge"), Metric: &metric.Result{Metric: "safe", Status: metric.NotEvaluated, Reason: "no judge"}},
	}}
	r := report.Report{Suites: []report.Suite{{Name: "s", Records: slices.Values([]run.Record{rec})}}}
	for format, want := range map[string][]string{
		"text": {"calls (metric): FAILED 0.75, threshold 0.9; the mean of the turns' means is 0.75", "turns 1 to 2: pass 1", "turn 3: fail 0", "no `f`", "turn 4: pass 1", "safe (metric): NOT_EVALUATED: no judge"},
		"html": {"turns 1 to 2", "threshold 0.9", "each of its metrics reaches its threshold", "no judge"},
	} {
		var out strings.Builder
		if err := report.Formats()[format](r, &out); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s: no %q in\n%s", format, part, out.String())
			}
		}
	}
}
