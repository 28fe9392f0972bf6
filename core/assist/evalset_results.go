package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// measuredCase says what a case last came to, metric by metric.
func measuredCase(results Results, id string) (lines []string) {
	o, ran := results[id]
	if !ran {
		return nil
	}
	lines = append(lines, "last run: "+o.words())
	for _, m := range o.Metrics {
		line := code(m.Metric) + ": " + statusWords(m.Status, m.Score, m.Threshold, m.Reason)
		if m.Notice != "" {
			line += "; " + quoted(m.Notice)
		}
		lines = append(lines, line)
	}
	if len(o.Metrics) == 0 { // nothing could be measured
		for _, reason := range o.Reasons {
			lines = append(lines, quoted(reason))
		}
	}
	return lines
}

// measuredTurn says what the metrics made of one turn. Nobody could say which result
// is its own when a case was run several times, or has changed since.
func measuredTurn(results Results, c adk.Case, turn int) (lines []string) {
	o := results[c.ID]
	for _, m := range o.Metrics {
		if len(m.Invocations) == len(c.Turns) && !o.Stale {
			t := m.Invocations[turn]
			lines = append(lines, code(m.Metric)+": "+statusWords(t.Status, t.Score, m.Threshold, t.Reason))
		}
	}
	return lines
}

// statusWords is how a measurement compares with its threshold.
func statusWords(status metric.Status, score *float64, threshold float64, reason string) string {
	if status == metric.NotEvaluated || score == nil {
		return "**not evaluated**: " + quoted(reason)
	}
	said := fmt.Sprintf("**passed**: %s, from %s", rounded(*score), number(threshold))
	if status == metric.Failed {
		said = fmt.Sprintf("**failed**: %s, below %s", rounded(*score), number(threshold))
	}
	if reason != "" {
		said += "; " + quoted(reason)
	}
	return said
}
