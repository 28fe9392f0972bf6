package assist

import (
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// outliner makes the symbols of one part.
type outliner struct {
	part    *analysis.Chunk
	weights map[text.Span]string // of criteria, by their place
}

// weightDetails is what each criterion that can be read counts.
func weightDetails(p *analysis.Chunk) map[text.Span]string {
	worth := map[text.Span]string{}
	visitSuiteGraders(p.Suite, func(g *rubric.Grader) {
		total := 0.0
		for _, c := range g.Criteria {
			total += c.Weight
		}
		for _, c := range g.Criteria {
			words := "weight " + formatNumber(c.Weight)
			if len(g.Criteria) > 1 {
				words += " of " + formatNumber(total)
			}
			switch {
			case c.MinScore != nil && c.HasBands():
				words += ", at least " + formatNumber(*c.MinScore)
			case c.IsRequired():
				words += ", required"
			}
			worth[c.Span] = words
		}
	})
	return worth
}

// visitSuiteGraders visits the graders of all cases, also of those that are skipped,
// and their members.
func visitSuiteGraders(s *rubric.Suite, visit func(*rubric.Grader)) {
	var each func([]*rubric.Grader)
	each = func(graders []*rubric.Grader) {
		for _, g := range graders {
			visit(g)
			each(g.Members)
		}
	}
	for _, list := range [][]*rubric.Case{s.Cases, s.Skipped} {
		for _, c := range list {
			each(c.Graders)
		}
	}
}

// symbolKinds are the symbols that mappings are.
var symbolKinds = map[agentv.Scope]SymbolKind{
	agentv.InCase: CaseSymbol, agentv.InGrader: GraderSymbol, agentv.InCriterion: CriterionSymbol, agentv.InRange: BandSymbol,
}

// symbols are those that a value is or holds.
func (o outliner) symbols(v value) (all []Symbol) {
	for _, child := range v.children() {
		all = append(all, o.symbols(child)...)
	}
	kind := symbolKinds[v.place()]
	switch {
	case v.isTarget():
		kind = TargetSymbol
	case kind == "" && v.isCaseList():
		list := Symbol{Kind: CaseList, Name: v.pair.Key.Value, Span: v.pair.Span(), NameSpan: v.pair.Key.Span, Children: all}
		return []Symbol{list}
	case v.isBand():
		return []Symbol{{Kind: BandSymbol, Name: symbolName(BandSymbol, v.node), Detail: shortLine(v.pair.Key.Value), Span: v.pair.Span(), NameSpan: v.pair.Key.Span}}
	case kind == "" || v.resolved != nil && v.resolved.Name == "default-test" || v.node.Kind == yaml.Sequence || v.node.Kind == yaml.Alias:
		return all
	}
	s := Symbol{Kind: kind, Span: fullSpan(v.node), Children: all}
	s.NameSpan = s.Span
	if len(v.node.Pairs) > 0 {
		s.NameSpan = v.node.Pairs[0].Key.Span
	}
	o.setName(&s, v.node)
	return []Symbol{s}
}

// setName fills in a symbol's name and detail.
func (o outliner) setName(s *Symbol, n *yaml.Node) {
	label, says := symbolLabels(s.Kind, n)
	s.Name = symbolName(s.Kind, label)
	if label != nil && s.Span.Contains(label.Span) && !label.Span.Empty() {
		s.NameSpan = label.Span
	}
	switch target := says.Follow(); {
	case o.weights[n.Span] != "":
		s.Detail = o.weights[n.Span]
	case target == nil || says == label:
	case target.Kind == yaml.Scalar:
		s.Detail = shortLine(target.Value)
	default:
		s.Detail = shortLine(yaml.EncodeJSON(target, ""))
	}
}

// symbolName is what a symbol is called by a value, or else by its kind.
func symbolName(kind SymbolKind, label *yaml.Node) string {
	if target := label.Follow(); target != nil && target.Kind == yaml.Scalar {
		if name := shortLine(target.Value); name != "" {
			return name
		}
	}
	return string(kind)
}

// symbolLabels are the values that a symbol is called by and described with, nil where
// there is none.
func symbolLabels(kind SymbolKind, n *yaml.Node) (label, says *yaml.Node) {
	switch kind {
	case CaseSymbol:
		goal := firstValue(n, textKeys[agentv.InCase]...)
		if id := firstValue(n, "id"); id != nil {
			return id, goal
		}
		return goal, nil
	case CriterionSymbol:
		if n.Kind != yaml.Mapping {
			return n, nil
		}
		label = firstValue(n, textKeys[agentv.InCriterion]...)
		if id := firstValue(n, "id"); id != nil {
			return id, label
		}
	case GraderSymbol:
		label, says = firstValue(n, graderKeys...), firstValue(n, "type")
		if label == nil {
			return says, nil
		}
	case BandSymbol:
		return firstValue(n, textKeys[agentv.InRange]...), firstValue(n, "score_range")
	case TargetSymbol:
		return firstValue(n, "name", "label", "id"), firstValue(n, "provider", "id")
	}
	return label, says
}

// firstValue is the value of the first of some keys that a mapping has, nil if none.
func firstValue(n *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		if v := n.Get(key); !v.IsNull() {
			return v
		}
	}
	return nil
}

// shortLine keeps an outline readable.
func shortLine(words string) string { return excerpt.Shorten(words, 80) }
