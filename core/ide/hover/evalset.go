package hover

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
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
		criteria := generic.Map(settings.Criteria, func(c adk.Criterion) metric.Criterion { return c.Criterion })
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
		lines = append(lines, generic.Map(o.Reasons, facts.EscapeMarkdown)...)
	}
	return lines
}

// adkRubricFacts describes the rubric of an ADK file that contains n: what it is worth, and what it
// was worth in the last run. Criteria are those that the file's cases are measured by.
func adkRubricFacts(p *analysis.Chunk, n *yaml.Node, results ide.Results, criteria []metric.Criterion) string {
	for _, list := range p.ADK.RubricLists() {
		for _, r := range list.Rubrics {
			if !r.Node.Span.Contains(n.Span) {
				continue
			}
			name := cmp.Or(list.Metric, adk.MetricForRubricType(r.Type))
			if adk.RubricTypeForMetric(name) == "" {
				return "- no metric uses it"
			}
			worth := newRubricWorth(name, criteria)
			if list.Metric == "" {
				worth.add(list)
			}
			lines := append([]string{"judged by " + facts.InlineCode(name)}, worth.lines()...)
			if list.Metric == "" {
				lines = append(lines, lastVerdictLines(p, n, r, results)...)
			}
			return facts.BulletList(append(lines, convert.RubricInAgentV(name)))
		}
	}
	return ""
}

// rubricWorth is the number of rubrics that judge a turn, and the threshold of their metric.
type rubricWorth struct {
	metric    string
	count     int
	threshold *float64 // nil if unknown
}

// newRubricWorth counts the criterion's own rubrics.
func newRubricWorth(name string, criteria []metric.Criterion) rubricWorth {
	w := rubricWorth{metric: name}
	for _, c := range criteria {
		if c.Metric == name {
			w.count, w.threshold = len(c.Rubrics), &c.Threshold
		}
	}
	return w
}

// add counts the rubrics of a case, and of a turn if list is a turn's.
func (w *rubricWorth) add(list *adk.RubricList) {
	for _, r := range slices.Concat(list.Rubrics, list.CaseRubrics) {
		if adk.MetricForRubricType(r.Type) == w.metric {
			w.count++
		}
	}
}

// lines describes the share of one rubric, and how many of them a turn needs.
func (w rubricWorth) lines() []string {
	all := []string{fmt.Sprintf("weight 1 of %d: **%s** of a turn's score", w.count, facts.FormatPercent(1/float64(w.count)))}
	if w.threshold == nil {
		return all
	}
	missed := float64(w.count-1) / float64(w.count)
	return append(all, "not satisfied, with all else at its best: "+facts.DescribeMeasurement(metric.StatusOf(&missed, *w.threshold), &missed, *w.threshold, ""), w.leastText())
}

// leastText says how many rubrics a turn must satisfy to pass by itself.
func (w rubricWorth) leastText() string {
	for n := range w.count + 1 {
		if float64(n)/float64(w.count) >= *w.threshold {
			return fmt.Sprintf("a turn passes with %d of %d", n, w.count)
		}
	}
	return "no turn passes"
}

// lastVerdictLines describes the verdicts of the last run on a rubric of a case or turn, and whether
// another one would have changed the metric's status. A turn has none if the results cannot be matched
// to turns.
func lastVerdictLines(p *analysis.Chunk, n *yaml.Node, r adk.LocatedRubric, results ide.Results) (lines []string) {
	isAround := func(other *yaml.Node) bool { return other != nil && other.Span.Contains(n.Span) }
	set, _ := facts.LowerEvalset(p)
	at := slices.IndexFunc(set.Cases, func(c adk.Case) bool { return isAround(c.Node) })
	if at < 0 {
		return nil
	}
	c := set.Cases[at]
	own := slices.IndexFunc(c.Turns, isAround)
	for _, m := range results[c.ID].Metrics {
		for i, turn := range m.Invocations {
			if m.Metric != adk.MetricForRubricType(r.Type) || own >= 0 && (i != own || len(c.Turns) != len(m.Invocations)) {
				continue
			}
			for _, verdict := range turn.Rubrics {
				if verdict.ID == r.ID && verdict.Score != nil {
					lines = append(lines, verdictText(m, i, verdict)+facts.StaleSuffix(results[c.ID].Stale))
				}
			}
		}
	}
	return lines
}

// verdictText describes a verdict, and the metric's score with the other one.
func verdictText(m metric.Result, turn int, v metric.RubricScore) string {
	now, other := "not satisfied", "satisfied"
	if *v.Score == 1 {
		now, other = other, now
	}
	line := fmt.Sprintf("last run, turn %d: **%s**", turn+1, now)
	if v.Rationale != "" {
		line += "; " + facts.EscapeMarkdown(excerpt.Shorten(v.Rationale, 200))
	}
	var scores []*float64
	for i, t := range m.Invocations {
		for _, s := range t.Rubrics {
			if i == turn && s.ID == v.ID {
				s.Score = new(1 - *v.Score)
			}
			scores = append(scores, s.Score)
		}
	}
	flipped := metric.Mean(scores)
	if status := metric.StatusOf(flipped, m.Threshold); status != m.Status {
		return line + "; " + other + " would flip the metric: " + facts.DescribeMeasurement(status, flipped, m.Threshold, "")
	}
	return line + "; " + other + " would not change the metric's " + string(m.Status)
}
