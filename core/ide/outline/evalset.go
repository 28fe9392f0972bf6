package outline

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/yaml"
)

// adkSymbols returns the outline of an ADK file: cases with turns, metrics, rubrics, and other keys.
func adkSymbols(p *analysis.Chunk) (all []Symbol) {
	root, lists := p.Tree.Root(), rubricSymbols(p)
	set, isSet := facts.LowerEvalset(p)
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
			s.Detail = facts.ShortLine(pair.Value.Value)
		}
		all = append(all, s)
	}
	return all
}

func rubricSymbols(p *analysis.Chunk) map[*yaml.Node][]Symbol {
	all := map[*yaml.Node][]Symbol{}
	for _, list := range p.ADK.RubricLists() {
		for _, r := range list.Rubrics {
			s := Symbol{Kind: CriterionSymbol, Name: symbolName(CriterionSymbol, r.IDNode), Detail: facts.ShortLine(r.Text), Span: r.Node.Span, NameSpan: r.Node.Span}
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
		s := Symbol{Kind: CaseSymbol, Name: symbolName(CaseSymbol, c.IDNode), Detail: facts.CaseSummary(c), Span: c.Node.Span, NameSpan: c.Node.Span, Children: rubrics[rubricList(c.Node)]}
		if c.IDNode != nil {
			s.NameSpan = c.IDNode.Span
		}
		for i, turn := range c.Turns {
			asked, _ := c.Conversation[i].User.Text()
			s.Children = append(s.Children, Symbol{
				Kind: TurnSymbol, Name: fmt.Sprintf("turn %d", i+1), Detail: facts.ShortLine(asked), Span: turn.Span, NameSpan: facts.FirstKeySpan(turn), Children: rubrics[rubricList(turn)],
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
			Kind: MetricSymbol, Name: symbolName(MetricSymbol, c.Key), Detail: "from " + score.FormatNumber(c.Threshold),
			Span: c.Key.Span.Cover(c.Node.Span), NameSpan: c.Key.Span, Children: rubrics[rubricList(c.Node)],
		})
	}
	return all
}
