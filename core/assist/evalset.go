package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// lowerEvalset is a part as a set of ADK's; false if it is none.
func lowerEvalset(p *analysis.Chunk) (adk.Set, bool) {
	if p.ADK == nil || p.ADK.Role != adk.EvalSet && p.ADK.Role != adk.Older && p.ADK.Role != adk.Turns {
		return adk.Set{}, false
	}
	return adk.LowerSet(metric.Latest, *p.ADK), true
}

// evalsetCase is a case of a set as lenses have it: to be run, and what there is in it
// to measure.
type evalsetCase struct {
	id       string
	nameSpan text.Span
	summary  string
	turns    []Lens
}

func evalsetCases(set adk.Set) (all []evalsetCase) {
	for _, c := range set.Cases {
		one := evalsetCase{id: c.ID, nameSpan: firstKeySpan(c.Node), summary: caseSummary(c)}
		for i, turn := range c.Conversation {
			one.turns = append(one.turns, Lens{Span: firstKeySpan(c.Turns[i]), Title: fmt.Sprintf("turn %d: %s", i+1, turnSummary(turn))})
		}
		all = append(all, one)
	}
	return all
}

func (ec evalsetCase) lenses(results Results) []Lens {
	lenses := runLenses(ec.nameSpan, ec.id)
	if o, ran := results[ec.id]; ran {
		lenses = append(lenses, Lens{Span: ec.nameSpan, Title: o.summary()})
	}
	lenses = append(lenses, Lens{Span: ec.nameSpan, Title: ec.summary})
	return append(lenses, ec.turns...)
}

// firstKeySpan is where a mapping, or a list's first one, is shown as a whole.
func firstKeySpan(n *yaml.Node) text.Span {
	if items := n.List(); len(items) > 0 {
		n = items[0]
	}
	if pairs := n.Entries(); len(pairs) > 0 {
		return pairs[0].Key.Span
	}
	return n.Span
}

// caseSummary is what a case has for metrics, in one line.
func caseSummary(c adk.Case) string {
	parts := countNoun(len(c.Conversation), "turn")
	if c.Scenario != nil {
		parts = "a simulated user"
	}
	if rubrics := rubricSummary(c.Rubrics); rubrics != "" {
		parts += ", with " + rubrics
	}
	return parts
}

// turnSummary is what a turn has for metrics, in one line.
func turnSummary(turn metric.Invocation) string {
	parts := []string{"no tool call"}
	if calls := turn.Calls(); len(calls) > 0 {
		var names []string
		for _, call := range calls {
			names = append(names, call.Name)
		}
		parts[0] = strings.Join(names, ", ")
	}
	if answer, _ := turn.Final.Text(); answer == "" {
		parts = append(parts, "no answer")
	}
	if rubrics := rubricSummary(turn.Rubrics); rubrics != "" {
		parts = append(parts, rubrics)
	}
	return strings.Join(parts, "; ")
}

// rubricSummary says how many rubrics there are, and for which metrics.
func rubricSummary(rubrics []metric.Rubric) string {
	var lost int
	taken := map[string]int{}
	for _, r := range rubrics {
		if name := adk.MetricForRubricType(r.Type); name != "" {
			taken[name]++
		} else {
			lost++
		}
	}
	var parts []string
	for _, kind := range adk.RubricTypes() {
		if n := taken[adk.MetricForRubricType(kind)]; n > 0 {
			parts = append(parts, countNoun(n, "rubric")+" for "+adk.MetricForRubricType(kind))
		}
	}
	if lost > 0 {
		parts = append(parts, countNoun(lost, "rubric")+" for no metric")
	}
	return diag.JoinList(parts, "and")
}

func countNoun(n int, what string) string { return fmt.Sprintf("%d %s", n, plural(n, what, what+"s")) }

// adkFacts is what a place in a file of ADK comes to.
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
		return "- no metric judges by it"
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

// metricFacts is what is asked of a metric, defaults included.
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
