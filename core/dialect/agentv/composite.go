package agentv

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (l *loader) readComposite(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	members, aggregator := n.Get("evaluators"), n.Get("aggregator")
	switch {
	case !members.IsSeq():
		return l.skipEvaluator(MembersMissing, n)
	case !aggregator.IsMap():
		return l.skipEvaluator(AggregatorMissing, n)
	}
	for _, item := range members.List() {
		member, memberRefused := l.readEvaluator(item)
		if refused == "" {
			refused = memberRefused
		}
		if member == nil {
			continue
		}
		if len(member.Criteria) > 0 || member.Prompt != nil {
			l.addLoss(MemberStripped, rubric.Silent, item, member.Name)
		}
		g.Members = append(g.Members, member)
	}
	if len(g.Members) == 0 && refused == "" {
		return l.skipEvaluator(NoMembers, n)
	}
	keep, memberRefused := l.readAggregator(g, aggregator)
	if refused == "" {
		refused = memberRefused
	}
	return keep, refused
}

func (l *loader) readAggregator(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	a := &rubric.Aggregator{}
	a.Type, _ = n.Get("type").Str()
	switch a.Type {
	case "weighted_average":
		for _, p := range n.Get("weights").Entries() {
			name, ok := p.Key.Str()
			if weight, isNumber := p.Value.Number(); ok && isNumber {
				if a.Weights == nil {
					a.Weights = map[string]float64{}
				}
				a.Weights[name] = weight
			}
		}
	case "code_judge":
		if a.Path, _ = n.Get("path").Str(); a.Path == "" {
			return l.skipEvaluator(AggregatorPath, n)
		}
		a.Dir, _ = n.Get("cwd").Str()
	case "llm_judge":
		a.Prompt, _ = n.Get("prompt").Str()
	default:
		return l.skipEvaluator(AggregatorType, n)
	}
	g.Combine = a
	return true, ""
}
