package adk

import (
	"context"
	"slices"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FlippingVerdict is another verdict by which a metric of a case passes or fails.
type FlippingVerdict struct {
	metric.ManualVerdict
	Score  *float64      `json:"score"` // of the metric, with that verdict
	Status metric.Status `json:"eval_status"`
	Case   metric.Status `json:"final_eval_status"`
}

// maxFlipAttempts is how many other verdicts are tried for [Trial.Flips]: each is a
// measurement of its own.
const maxFlipAttempts = 300

// FindFlips are, for each thing that a judge was asked for a case's result, the nearest
// other verdict that changes the status of its metric. Left is how many verdicts were
// not tried, since there are too many.
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

// tryVerdict is what the metric and the case come to with another verdict, and whether the
// metric's status is another one then.
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
