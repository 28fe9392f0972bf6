package assist

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// evalsetCache holds the evalset of each chunk without nodes and losses. The ADK version makes no
// difference for the cases.
var evalsetCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Set {
	set := adk.LowerSet(metric.Latest, *p.ADK)
	set.Cases, set.Losses = compactCases(set.Cases, unshifted), nil
	return set
})

// Evalset returns a whole evalset without nodes, with spans of the file.
func Evalset(a *analysis.Analysis) adk.Set {
	var set adk.Set
	for placement, data := range evalsetCache.Each(a) {
		if set.ID == "" {
			set.ID, set.Name, set.Description = data.ID, data.Name, data.Description
		}
		set.Cases = append(set.Cases, compactCases(data.Cases, placement.ToFile)...)
	}
	return set
}

// recordingCache holds the recorded results of each chunk without nodes and losses.
var recordingCache = analysis.NewChunkCache(func(p *analysis.Chunk) adk.Recording {
	rec := adk.LowerResults(metric.Latest, *p.ADK)
	rec.Cases, rec.Losses = compactCases(rec.Cases, unshifted), nil
	return rec
})

// Recording returns all recorded results of a file without nodes, with spans of the file.
func Recording(a *analysis.Analysis) adk.Recording {
	var whole adk.Recording
	for placement, data := range recordingCache.Each(a) {
		whole.SetID = cmp.Or(whole.SetID, data.SetID)
		whole.Cases = append(whole.Cases, compactCases(data.Cases, placement.ToFile)...)
	}
	return whole
}

// compactCases returns cases without their trees, with shifted spans.
func compactCases[C interface {
	Compact(shift func(text.Span) text.Span) C
}](cases []C, shift func(text.Span) text.Span) []C {
	compact := make([]C, len(cases))
	for i, c := range cases {
		compact[i] = c.Compact(shift)
	}
	return compact
}

// unshifted leaves a span relative to its chunk.
func unshifted(span text.Span) text.Span { return span }

// lowerEvalset returns a chunk as an ADK evalset; false if it is none.
func lowerEvalset(p *analysis.Chunk) (adk.Set, bool) {
	if p.ADK == nil || p.ADK.Role != adk.EvalSet && p.ADK.Role != adk.Older && p.ADK.Role != adk.Turns {
		return adk.Set{}, false
	}
	return adk.LowerSet(metric.Latest, *p.ADK), true
}

// evalsetCase is a case of an evalset or of recorded results, as lenses show it.
type evalsetCase struct {
	id       string
	nameSpan text.Span
	summary  string
	turns    []Lens
}

func evalsetCases(set adk.Set) (all []evalsetCase) {
	for _, c := range set.Cases {
		converted := evalsetCase{id: c.ID, nameSpan: firstKeySpan(c.Node), summary: caseSummary(c)}
		for i, turn := range c.Conversation {
			converted.turns = append(converted.turns, Lens{Span: firstKeySpan(c.Turns[i]), Title: fmt.Sprintf("turn %d: %s", i+1, turnSummary(turn))})
		}
		all = append(all, converted)
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

// firstKeySpan returns the span of the first key of a mapping, or of the first mapping in a list.
func firstKeySpan(n *yaml.Node) text.Span {
	if items := n.List(); len(items) > 0 {
		n = items[0]
	}
	if pairs := n.Entries(); len(pairs) > 0 {
		return pairs[0].Key.Span
	}
	return n.Span
}

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

// rubricSummary returns how many rubrics each metric has.
func rubricSummary(rubrics []metric.Rubric) string {
	var unused int
	used := map[string]int{}
	for _, r := range rubrics {
		if name := adk.MetricForRubricType(r.Type); name != "" {
			used[name]++
		} else {
			unused++
		}
	}
	var parts []string
	for _, kind := range adk.RubricTypes() {
		if n := used[adk.MetricForRubricType(kind)]; n > 0 {
			parts = append(parts, countNoun(n, "rubric")+" for "+adk.MetricForRubricType(kind))
		}
	}
	if unused > 0 {
		parts = append(parts, countNoun(unused, "rubric")+" that no metric uses")
	}
	return diag.JoinList(parts, "and")
}

func countNoun(n int, what string) string { return fmt.Sprintf("%d %s", n, plural(n, what, what+"s")) }

// lowerRecording returns a chunk as recorded results; false if it is none. Results that are JSON
// inside a JSON string have no spans and count as none.
func lowerRecording(p *analysis.Chunk) (adk.Recording, bool) {
	if p.ADK == nil || p.ADK.Role != adk.Results || !p.ADK.IsChunk && !p.Tree.Root().IsMap() {
		return adk.Recording{}, false
	}
	return adk.LowerResults(metric.Latest, *p.ADK), true
}

// recordingCases returns the cases of recorded results; only the first one for each id.
func recordingCases(rec adk.Recording) (all []evalsetCase) {
	seen := map[string]bool{}
	for _, c := range rec.Cases {
		if !seen[c.ID] {
			seen[c.ID] = true
			all = append(all, evalsetCase{id: c.ID, nameSpan: firstKeySpan(c.Node), summary: recordedSummary(c)})
		}
	}
	return all
}

func recordedSummary(c adk.RecordedCase) string {
	line, passed := countNoun(len(c.Actual), "turn"), 0
	scores := c.Scores()
	for _, s := range scores {
		if s.Status == metric.Passed {
			passed++
		}
	}
	if len(scores) > 0 {
		line += fmt.Sprintf("; recorded: %d of %s passed", passed, countNoun(len(scores), "metric"))
	}
	return line
}

// adkSymbols returns the outline of an ADK file: cases with turns, metrics, rubrics, and other keys.
func adkSymbols(p *analysis.Chunk) (all []Symbol) {
	root, lists := p.Tree.Root(), rubricSymbols(p)
	set, isSet := lowerEvalset(p)
	if isSet && root.IsSeq() {
		return caseSymbols(set, lists)
	}
	for _, pair := range root.Entries() {
		s := Symbol{Kind: SettingSymbol, Name: symbolName(SettingSymbol, pair.Key), Span: pair.Span(), NameSpan: pair.Key.Span}
		switch list := adk.LookupPair(root, "eval_cases"); {
		case isSet && pair == list:
			s.Kind, s.Children = CaseList, caseSymbols(set, lists)
		case p.ADK.Role == adk.Config && pair.Key.Value == "criteria":
			s.Children = metricSymbols(p, lists)
		case pair.Value.Kind == yaml.Scalar:
			s.Detail = shortLine(pair.Value.Value)
		}
		all = append(all, s)
	}
	return all
}

func rubricSymbols(p *analysis.Chunk) map[*yaml.Node][]Symbol {
	all := map[*yaml.Node][]Symbol{}
	for _, list := range p.ADK.RubricLists() {
		for _, r := range list.Rubrics {
			s := Symbol{Kind: CriterionSymbol, Name: symbolName(CriterionSymbol, r.IDNode), Detail: shortLine(r.Text), Span: r.Node.Span, NameSpan: r.Node.Span}
			if r.IDNode != nil {
				s.NameSpan = r.IDNode.Span
			}
			all[r.Node.Parent] = append(all[r.Node.Parent], s)
		}
	}
	return all
}

func caseSymbols(set adk.Set, rubrics map[*yaml.Node][]Symbol) (all []Symbol) {
	for _, c := range set.Cases {
		s := Symbol{Kind: CaseSymbol, Name: symbolName(CaseSymbol, c.IDNode), Detail: caseSummary(c), Span: c.Node.Span, NameSpan: c.Node.Span, Children: rubrics[rubricList(c.Node)]}
		if c.IDNode != nil {
			s.NameSpan = c.IDNode.Span
		}
		for i, turn := range c.Turns {
			asked, _ := c.Conversation[i].User.Text()
			s.Children = append(s.Children, Symbol{
				Kind: TurnSymbol, Name: fmt.Sprintf("turn %d", i+1), Detail: shortLine(asked), Span: turn.Span, NameSpan: firstKeySpan(turn), Children: rubrics[rubricList(turn)],
			})
		}
		all = append(all, s)
	}
	return all
}

// rubricList returns the list of rubrics of a mapping, or nil.
func rubricList(n *yaml.Node) *yaml.Node {
	if pair := adk.LookupPair(n, "rubrics"); pair != nil {
		return pair.Value.Follow()
	}
	return nil
}

func metricSymbols(p *analysis.Chunk, rubrics map[*yaml.Node][]Symbol) (all []Symbol) {
	for _, c := range adk.LowerConfig(metric.Latest, *p.ADK).Criteria {
		all = append(all, Symbol{
			Kind: MetricSymbol, Name: symbolName(MetricSymbol, c.Key), Detail: "from " + formatNumber(c.Threshold),
			Span: c.Key.Span.Cover(c.Node.Span), NameSpan: c.Key.Span, Children: rubrics[rubricList(c.Node)],
		})
	}
	return all
}
