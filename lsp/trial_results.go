package lsp

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
)

// measured is what a metric says of a case, as its item has it.
func (r *underWay) measured(id string, m *metric.Result) itemResult {
	item := itemResult{ID: itemID(r.doc.URI, id, m.Metric), Score: m.Score, State: itemPassed}
	switch {
	case m.Status == metric.NotEvaluated && r.job.ctx.Err() != nil:
		item.State, item.Message = itemCancelled, m.Reason
	case m.Status == metric.NotEvaluated:
		item.State, item.Message = itemUnknown, m.Reason
	case m.Status == metric.Failed:
		item.State, item.Message = itemFailed, shortfall(m)
	}
	return item
}

// said is what whoever has ordered the run should know of it.
func (r *underWay) said() string {
	if r.trial == nil {
		return ""
	}
	return strings.Join(r.trial.said(), "; ")
}

// shortfall says which turn keeps a metric from passing, of several the first.
func shortfall(m *metric.Result) string {
	for i, t := range m.Invocations {
		if t.Status != metric.Failed || t.Score == nil {
			continue
		}
		said := fmt.Sprintf("turn %d is %.4g, below %.4g", i+1, *t.Score, m.Threshold)
		if t.Reason != "" {
			said += ": " + t.Reason
		}
		return said
	}
	return fmt.Sprintf("below %.4g", m.Threshold)
}
