package adk

import (
	"context"
	"slices"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FlippingVerdict is an alternative verdict that makes a metric of a case pass or fail.
type FlippingVerdict struct {
	metric.ManualVerdict
	Score  *float64      `json:"score"` // the metric's score with that verdict
	Status metric.Status `json:"eval_status"`
	Case   metric.Status `json:"final_eval_status"`
}

// maxFlipAttempts limits the verdicts that [Evaluation.FindFlips] checks, because each check
// evaluates the metric.
const maxFlipAttempts = 300

// FindFlips returns, for each item that a judge was asked about, the nearest other verdict that
// changes the status of the metric. Left is the number of verdicts beyond the limit.
func (e Evaluation) FindFlips(ctx context.Context, c *rubric.Case, ports metric.Ports, found metric.CaseResult) (flips []FlippingVerdict, left int) {
	attempts := 0
	for _, a := range ports.Manual.Questions() {
		if _, raw := ports.Manual.Replies[metric.ReplyKey(a.Question)]; raw {
			continue
		}
		at := slices.IndexFunc(found.Metrics, func(r metric.Result) bool { return r.Metric == a.Metric })
		criterion := slices.IndexFunc(e.Criteria, func(c metric.Criterion) bool { return c.Metric == a.Metric })
		if at < 0 || criterion < 0 {
			continue
		}
		one := e
		one.Criteria = e.Criteria[criterion : criterion+1]
		for _, item := range a.Items {
			for _, other := range item.Alternatives(a.Samples) {
				if attempts++; attempts > maxFlipAttempts {
					left++
					continue
				}
				if f, changes := one.tryVerdict(ctx, c, ports, other, found, at); changes {
					flips = append(flips, f)
					break
				}
			}
		}
	}
	return flips, left
}

// tryVerdict evaluates the metric with another verdict and reports whether its status changes.
func (e Evaluation) tryVerdict(ctx context.Context, c *rubric.Case, ports metric.Ports, other metric.ManualVerdict, found metric.CaseResult, at int) (FlippingVerdict, bool) {
	ports.Manual = ports.Manual.WithVerdict(other)
	now, err := e.Measure(ports)(ctx, c)
	if err != nil || len(now.Metrics) != 1 || now.Metrics[0].Status == found.Metrics[at].Status {
		return FlippingVerdict{}, false
	}
	var statuses []metric.Status
	for i, m := range found.Metrics {
		if i == at {
			m = now.Metrics[0]
		}
		statuses = append(statuses, m.Status)
	}
	return FlippingVerdict{other, now.Metrics[0].Score, now.Metrics[0].Status, metric.CaseStatus(statuses)}, true
}
