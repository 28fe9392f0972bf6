package hover

import (
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/yaml"
)

// adkFacts describes the node n of an ADK file. Criteria are those that the file's cases are measured
// by.
func adkFacts(p *analysis.Chunk, n *yaml.Node, results ide.Results, criteria []metric.Criterion) string {
	if p.ADK.Role == adk.Config {
		return metricFacts(p, n)
	}
	if rec, ok := facts.LowerRecording(p); ok {
		return recordingFacts(rec, n, results)
	}
	set, ok := facts.LowerEvalset(p)
	if !ok {
		return ""
	}
	if lines := adkRubricFacts(p, n, results, criteria); lines != "" {
		return lines
	}
	for _, c := range set.Cases {
		if c.IDNode != nil && n.Parent == c.Node && syntax.PairOf(n) != nil && syntax.PairOf(n).Value == c.IDNode {
			return facts.BulletList(append([]string{facts.CaseSummary(c)}, caseMeasurements(results, c.ID)...))
		}
		for i, node := range c.Turns {
			if n.Parent == node {
				return facts.BulletList(append([]string{fmt.Sprintf("turn %d: %s", i+1, facts.TurnSummary(c.Conversation[i]))}, facts.TurnMeasurements(results, c, i)...))
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
		var criteria []metric.Criterion
		for _, c := range settings.Criteria {
			criteria = append(criteria, c.Criterion)
		}
		return adkRubricFacts(p, n, nil, criteria)
	}
	c := settings.Criteria[i]
	lines := []string{"passes from " + score.FormatNumber(c.Threshold)}
	switch {
	case c.Skipped:
		return "- the runner does not evaluate it"
	case c.Metric == metric.ToolTrajectory:
		compared := "names and arguments"
		if c.IgnoreArgs {
			compared = "names only"
		}
		lines = append(lines, "calls match as "+facts.InlineCode(c.Match.String())+", by "+compared)
	case c.JudgeCalls() != "":
		lines = append(lines, "asks a judge "+c.JudgeCalls())
	}
	if c.Metric == metric.ToolTrajectory || c.Metric == metric.FinalResponseMatch {
		lines = append(lines, failingTurnText(c.Threshold))
	}
	if kind := adk.RubricTypeForMetric(c.Metric); kind != "" {
		if len(c.Rubrics) > 0 {
			lines = append(lines, newRubricWorth(c.Metric, []metric.Criterion{c.Criterion}).leastText())
		}
		lines = append(lines, diag.CountNoun(len(c.Rubrics), "rubric")+" here, and those of cases with the type "+facts.InlineCode(kind))
	}
	return facts.BulletList(append(lines, convert.MetricInAgentV(c.Metric)))
}

// failingTurnText says in which cases a single turn with score 0 fails a metric whose turns score 0 or 1.
func failingTurnText(threshold float64) string {
	const most = 100
	n := 1
	for n <= most && float64(n-1)/float64(n) < threshold {
		n++
	}
	switch n {
	case 1:
		return ""
	case 2:
		return "one failing turn fails a case of 1 turn"
	case most + 1:
		return "one failing turn fails the case"
	}
	return fmt.Sprintf("one failing turn fails a case of up to %d turns", n-1)
}

// recordingFacts describes a case at its id: the recorded scores and the last run here.
func recordingFacts(rec adk.Recording, n *yaml.Node, results ide.Results) string {
	for _, c := range rec.Cases {
		if id := adk.LookupPair(c.Node, "eval_id"); id == nil || syntax.PairOf(n) != id {
			continue
		}
		lines := []string{facts.RecordedSummary(c)}
		for _, s := range c.Measured() {
			score := "not evaluated"
			if s.Score != nil {
				score = report.FormatScore(*s.Score)
			}
			lines = append(lines, "recorded: "+facts.InlineCode(s.Metric)+" "+score)
		}
		if took := metric.Measure(c.Actual); took != nil {
			lines = append(lines, "recorded: took "+took.PerTurn())
		}
		return facts.BulletList(append(lines, caseMeasurements(results, c.ID)...))
	}
	return ""
}

// caseMeasurements returns the last run of a case as lines, one for each metric.
func caseMeasurements(results ide.Results, id string) (lines []string) {
	o, ran := results[id]
	if !ran {
		return nil
	}
	lines = append(lines, "last run: "+facts.Summarise(o))
	for _, m := range o.Metrics {
		line := facts.InlineCode(m.Metric) + ": " + facts.DescribeMeasurement(m.Status, m.Score, m.Threshold, m.Reason)
		if m.Notice != "" {
			line += "; " + facts.EscapeMarkdown(m.Notice)
		}
		lines = append(lines, line)
	}
	if o.Informational != nil {
		lines = append(lines, "took "+o.Informational.PerTurn())
	}
	if len(o.Metrics) == 0 { // nothing was measured
		for _, reason := range o.Reasons {
			lines = append(lines, facts.EscapeMarkdown(reason))
		}
	}
	return lines
}
