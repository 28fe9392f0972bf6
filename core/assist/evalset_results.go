package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// caseMeasurements says what a case last came to, metric by metric.
func caseMeasurements(results Results, id string) (lines []string) {
	o, ran := results[id]
	if !ran {
		return nil
	}
	lines = append(lines, "last run: "+o.summary())
	for _, m := range o.Metrics {
		line := inlineCode(m.Metric) + ": " + describeMeasurement(m.Status, m.Score, m.Threshold, m.Reason)
		if m.Notice != "" {
			line += "; " + escapeMarkdown(m.Notice)
		}
		lines = append(lines, line)
	}
	if len(o.Metrics) == 0 { // nothing could be measured
		for _, reason := range o.Reasons {
			lines = append(lines, escapeMarkdown(reason))
		}
	}
	return lines
}

// turnMeasurements says what the metrics made of one turn. Nobody could say which result
// is its own when a case was run several times, or has changed since.
func turnMeasurements(results Results, c adk.Case, turn int) (lines []string) {
	o := results[c.ID]
	for _, m := range o.Metrics {
		if len(m.Invocations) == len(c.Turns) && !o.Stale {
			t := m.Invocations[turn]
			lines = append(lines, inlineCode(m.Metric)+": "+describeMeasurement(t.Status, t.Score, m.Threshold, t.Reason))
		}
	}
	return lines
}

// describeMeasurement is how a measurement compares with its threshold.
func describeMeasurement(status metric.Status, score *float64, threshold float64, reason string) string {
	if status == metric.NotEvaluated || score == nil {
		return "**not evaluated**: " + escapeMarkdown(reason)
	}
	line := fmt.Sprintf("**passed**: %s, from %s", formatScore(*score), formatNumber(threshold))
	if status == metric.Failed {
		line = fmt.Sprintf("**failed**: %s, below %s", formatScore(*score), formatNumber(threshold))
	}
	if reason != "" {
		line += "; " + escapeMarkdown(reason)
	}
	return line
}
