package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// RecordedScore is what a result file says that a metric came to.
type RecordedScore struct {
	Metric string
	Score  *float64 // nil where it was not evaluated
	Status metric.Status
}

// Scores are what the file says that the metrics of the case came to.
func (c RecordedCase) Scores() (all []RecordedScore) {
	for _, item := range lookup(c.Node, "overall_eval_metric_results").List() {
		s := RecordedScore{Metric: stringOf(lookup(item, "metric_name")), Status: readStatus(lookup(item, "eval_status"))}
		if v, ok := lookup(item, "score").Number(); ok {
			s.Score = &v
		}
		all = append(all, s)
	}
	return all
}

// readStatus is a status by its number in a file.
func readStatus(n *yaml.Node) metric.Status {
	switch v, _ := n.Number(); v {
	case 1:
		return metric.Passed
	case 2:
		return metric.Failed
	}
	return metric.NotEvaluated
}
