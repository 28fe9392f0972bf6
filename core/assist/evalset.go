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

// evalset is a part as a set of ADK's; false if it is none.
func evalset(p *analysis.Part) (adk.Set, bool) {
	if p.ADK == nil || p.ADK.Role != adk.EvalSet && p.ADK.Role != adk.Older && p.ADK.Role != adk.Turns {
		return adk.Set{}, false
	}
	return adk.LowerSet(metric.Latest, *p.ADK), true
}

// setCase is a case of a set as lenses have it: to be run, and what there is in it
// to measure.
type setCase struct {
	id    string
	head  text.Span
	words string
	turns []Lens
}

func setCases(set adk.Set) (all []setCase) {
	for _, c := range set.Cases {
		one := setCase{id: c.ID, head: firstKey(c.Node), words: caseWords(c)}
		for i, turn := range c.Conversation {
			one.turns = append(one.turns, Lens{Span: firstKey(c.Turns[i]), Title: fmt.Sprintf("turn %d: %s", i+1, turnWords(turn))})
		}
		all = append(all, one)
	}
	return all
}

func (c setCase) lenses(results Results) []Lens {
	lenses := runLenses(c.head, c.id)
	if o, ran := results[c.id]; ran {
		lenses = append(lenses, Lens{Span: c.head, Title: o.words()})
	}
	lenses = append(lenses, Lens{Span: c.head, Title: c.words})
	return append(lenses, c.turns...)
}

// firstKey is where a mapping, or a list's first one, is shown as a whole.
func firstKey(n *yaml.Node) text.Span {
	if items := n.List(); len(items) > 0 {
		n = items[0]
	}
	if pairs := n.Entries(); len(pairs) > 0 {
		return pairs[0].Key.Span
	}
	return n.Span
}

// caseWords is what a case has for metrics, in one line.
func caseWords(c adk.Case) string {
	said := count(len(c.Conversation), "turn")
	if c.Scenario != nil {
		said = "a simulated user"
	}
	if rubrics := rubricWords(c.Rubrics); rubrics != "" {
		said += ", with " + rubrics
	}
	return said
}

// turnWords is what a turn has for metrics, in one line.
func turnWords(turn metric.Invocation) string {
	said := []string{"no tool call"}
	if calls := turn.Calls(); len(calls) > 0 {
		var names []string
		for _, call := range calls {
			names = append(names, call.Name)
		}
		said[0] = strings.Join(names, ", ")
	}
	if answer, _ := turn.Final.Text(); answer == "" {
		said = append(said, "no answer")
	}
	if rubrics := rubricWords(turn.Rubrics); rubrics != "" {
		said = append(said, rubrics)
	}
	return strings.Join(said, "; ")
}

// rubricWords says how many rubrics there are, and for which metrics.
func rubricWords(rubrics []metric.Rubric) string {
	var lost int
	taken := map[string]int{}
	for _, r := range rubrics {
		if name := adk.MetricOf(r.Type); name != "" {
			taken[name]++
		} else {
			lost++
		}
	}
	var said []string
	for _, kind := range adk.RubricTypes() {
		if n := taken[adk.MetricOf(kind)]; n > 0 {
			said = append(said, count(n, "rubric")+" for "+adk.MetricOf(kind))
		}
	}
	if lost > 0 {
		said = append(said, count(lost, "rubric")+" for no metric")
	}
	return diag.Listed(said, "and")
}

func count(n int, what string) string { return fmt.Sprintf("%d %s", n, plural(n, what, what+"s")) }

// kitFacts is what a place in a file of ADK comes to.
func kitFacts(p *analysis.Part, n *yaml.Node, results Results) string {
	if p.ADK.Role == adk.Config {
		return metricFacts(p, n)
	}
	if rec, ok := recordings(p); ok {
		return recordedFacts(rec, n, results)
	}
	set, ok := evalset(p)
	if !ok {
		return ""
	}
	for _, list := range p.ADK.RubricLists() {
		i := slices.IndexFunc(list.Rubrics, func(r adk.PlacedRubric) bool { return n.Parent == r.Node })
		if i < 0 {
			continue
		}
		if name := adk.MetricOf(list.Rubrics[i].Type); name != "" {
			return bullets([]string{"judged by " + code(name), convert.RubricInAgentV(name)})
		}
		return "- no metric judges by it"
	}
	for _, c := range set.Cases {
		if c.IDNode != nil && n.Parent == c.Node && pairOf(n) != nil && pairOf(n).Value == c.IDNode {
			return bullets(append([]string{caseWords(c)}, measuredCase(results, c.ID)...))
		}
		for i, node := range c.Turns {
			if n.Parent == node {
				return bullets(append([]string{fmt.Sprintf("turn %d: %s", i+1, turnWords(c.Conversation[i]))}, measuredTurn(results, c, i)...))
			}
		}
	}
	return ""
}

// metricFacts is what is asked of a metric, defaults included.
func metricFacts(p *analysis.Part, n *yaml.Node) string {
	settings := adk.LowerConfig(metric.Latest, *p.ADK)
	i := slices.IndexFunc(settings.Criteria, func(c adk.Criterion) bool { return c.Key == n || c.Node == n })
	if i < 0 {
		return ""
	}
	c := settings.Criteria[i]
	lines := []string{"passes from " + number(c.Threshold)}
	switch {
	case c.Skipped:
		return "- the runner does not evaluate it"
	case c.Metric == metric.ToolTrajectory:
		compared := "names and arguments"
		if c.IgnoreArgs {
			compared = "names only"
		}
		lines = append(lines, "calls match as "+code(c.Match.String())+", by "+compared)
	case c.Asks() != "":
		lines = append(lines, "asks a judge "+c.Asks())
	}
	if kind := adk.TypeFor(c.Metric); kind != "" {
		lines = append(lines, count(len(c.Rubrics), "rubric")+" here, and those of cases with the type "+code(kind))
	}
	return bullets(append(lines, convert.MetricInAgentV(c.Metric)))
}
