package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// adkFacts describes the node n of an ADK file.
func adkFacts(p *analysis.Chunk, n *yaml.Node, results Results) string {
	if p.ADK.Role == adk.Config {
		return metricFacts(p, n)
	}
	if rec, ok := lowerRecording(p); ok {
		return recordingFacts(rec, n, results)
	}
	set, ok := lowerEvalset(p)
	if !ok {
		return ""
	}
	for _, list := range p.ADK.RubricLists() {
		i := slices.IndexFunc(list.Rubrics, func(r adk.LocatedRubric) bool { return n.Parent == r.Node })
		if i < 0 {
			continue
		}
		if name := adk.MetricForRubricType(list.Rubrics[i].Type); name != "" {
			return bulletList([]string{"judged by " + inlineCode(name), convert.RubricInAgentV(name)})
		}
		return "- no metric uses it"
	}
	for _, c := range set.Cases {
		if c.IDNode != nil && n.Parent == c.Node && pairOf(n) != nil && pairOf(n).Value == c.IDNode {
			return bulletList(append([]string{caseSummary(c)}, caseMeasurements(results, c.ID)...))
		}
		for i, node := range c.Turns {
			if n.Parent == node {
				return bulletList(append([]string{fmt.Sprintf("turn %d: %s", i+1, turnSummary(c.Conversation[i]))}, turnMeasurements(results, c, i)...))
			}
		}
	}
	return ""
}

// metricFacts describes the settings of a metric, with defaults.
func metricFacts(p *analysis.Chunk, n *yaml.Node) string {
	settings := adk.LowerConfig(metric.Latest, *p.ADK)
	i := slices.IndexFunc(settings.Criteria, func(c adk.Criterion) bool { return c.Key == n || c.Node == n })
	if i < 0 {
		return ""
	}
	c := settings.Criteria[i]
	lines := []string{"passes from " + formatNumber(c.Threshold)}
	switch {
	case c.Skipped:
		return "- the runner does not evaluate it"
	case c.Metric == metric.ToolTrajectory:
		compared := "names and arguments"
		if c.IgnoreArgs {
			compared = "names only"
		}
		lines = append(lines, "calls match as "+inlineCode(c.Match.String())+", by "+compared)
	case c.JudgeCalls() != "":
		lines = append(lines, "asks a judge "+c.JudgeCalls())
	}
	if kind := adk.RubricTypeForMetric(c.Metric); kind != "" {
		lines = append(lines, countNoun(len(c.Rubrics), "rubric")+" here, and those of cases with the type "+inlineCode(kind))
	}
	return bulletList(append(lines, convert.MetricInAgentV(c.Metric)))
}

// recordingFacts describes a case at its id: the recorded scores and the last run here.
func recordingFacts(rec adk.Recording, n *yaml.Node, results Results) string {
	for _, c := range rec.Cases {
		if id := adk.LookupPair(c.Node, "eval_id"); id == nil || pairOf(n) != id {
			continue
		}
		lines := []string{recordedSummary(c)}
		for _, s := range c.Scores() {
			score := "not evaluated"
			if s.Score != nil {
				score = formatScore(*s.Score)
			}
			lines = append(lines, "recorded: "+inlineCode(s.Metric)+" "+score)
		}
		return bulletList(append(lines, caseMeasurements(results, c.ID)...))
	}
	return ""
}

// caseMeasurements returns the last run of a case as lines, one for each metric.
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
	if len(o.Metrics) == 0 { // nothing was measured
		for _, reason := range o.Reasons {
			lines = append(lines, escapeMarkdown(reason))
		}
	}
	return lines
}

// turnMeasurements returns the metrics of one turn as lines. It returns none if the case ran several
// times or has changed, because results then cannot be matched to turns.
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

// describeMeasurement compares a score with its threshold.
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

// adkHints returns the results of the last run for the rubrics and turns of an evalset.
func adkHints(p *analysis.Chunk, results Results) (hints []Hint) {
	set, ok := lowerEvalset(p)
	if !ok || len(results) == 0 || p.ADK.Role != adk.EvalSet {
		return nil
	}
	at, turn := -1, 0
	for _, list := range p.ADK.RubricLists() {
		if list.Case == nil {
			at, turn = at+1, 0
		} else {
			turn++
		}
		o, ran := results[set.Cases[at].ID]
		if !ran {
			continue
		}
		if turn > 0 {
			hints = append(hints, turnHints(p, set.Cases[at], turn-1, o)...)
		}
		for _, r := range list.Rubrics {
			if label, why := rubricLabel(o, set.Cases[at], turn, r.Rubric); label != "" && r.IDNode != nil {
				hints = append(hints, Hint{endWithComma(p.Source, r.IDNode.Span), GradeHint, label + staleSuffix(o.Stale), why})
			}
		}
	}
	return hints
}

// turnHints returns how many metrics a turn passed. The tooltip lists them.
func turnHints(p *analysis.Chunk, c adk.Case, turn int, o Outcome) []Hint {
	measured, passed := 0, 0
	for _, m := range o.Metrics {
		if len(m.Invocations) != len(c.Turns) {
			continue
		}
		if measured++; m.Invocations[turn].Status == metric.Passed {
			passed++
		}
	}
	head := adk.LookupPair(c.Turns[turn], "invocation_id")
	if measured == 0 || head == nil {
		return nil
	}
	label := fmt.Sprintf("%d of %s passed%s", passed, countNoun(measured, "metric"), staleSuffix(o.Stale))
	why := strings.Join(turnMeasurements(Results{c.ID: o}, c, turn), "\n\n")
	return []Hint{{endWithComma(p.Source, head.Value.Span), GradeHint, label, why}}
}

// rubricLabel returns the grade of a rubric in one turn, counted from 1, or in all turns if turn is
// 0, and the judge's rationale.
func rubricLabel(o Outcome, c adk.Case, turn int, r metric.Rubric) (label, why string) {
	i := slices.IndexFunc(o.Metrics, func(m metric.Result) bool { return m.Metric == adk.MetricForRubricType(r.Type) })
	if i < 0 {
		return "", ""
	}
	turns := o.Metrics[i].Invocations
	if turn > 0 {
		if len(turns) != len(c.Turns) {
			return "", ""
		}
		turns = turns[turn-1 : turn]
	}
	yes, no := 0, 0
	for _, t := range turns {
		for _, s := range t.Rubrics {
			switch {
			case s.ID != r.ID || s.Score == nil:
			case *s.Score == 1:
				yes++
			default:
				no++
				why = s.Rationale
			}
		}
	}
	switch {
	case yes+no == 0:
		return "not judged", ""
	case no == 0:
		return "yes", ""
	case yes == 0:
		return "no", escapeMarkdown(why)
	}
	return fmt.Sprintf("yes in %d of %d turns", yes, yes+no), escapeMarkdown(why)
}

// endWithComma returns where a value ends on its first line, after a comma.
func endWithComma(src *text.Source, span text.Span) int {
	end := endOnLine(src, span)
	if end < len(src.Body) && src.Body[end] == ',' {
		return end + 1
	}
	return end
}

func staleSuffix(stale bool) string {
	if stale {
		return " (stale)"
	}
	return ""
}
