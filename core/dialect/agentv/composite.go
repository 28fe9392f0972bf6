package agentv

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (l *losses) composite(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	members, how := n.Get("evaluators"), n.Get("aggregator")
	switch {
	case !members.IsSeq():
		return l.skip(MembersMissing, n)
	case !how.IsMap():
		return l.skip(AggregatorMissing, n)
	}
	for _, item := range members.List() {
		member, why := l.evaluator(item)
		if refused == "" {
			refused = why
		}
		if member == nil {
			continue
		}
		if len(member.Criteria) > 0 || member.Prompt != nil {
			l.add(MemberStripped, rubric.Silent, item, member.Name)
		}
		g.Members = append(g.Members, member)
	}
	if len(g.Members) == 0 && refused == "" {
		return l.skip(NoMembers, n)
	}
	keep, why := l.aggregator(g, how)
	if refused == "" {
		refused = why
	}
	return keep, refused
}

func (l *losses) aggregator(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
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
			return l.skip(AggregatorPath, n)
		}
		a.Dir, _ = n.Get("cwd").Str()
	case "llm_judge":
		a.Prompt, _ = n.Get("prompt").Str()
	default:
		return l.skip(AggregatorType, n)
	}
	g.Combine = a
	return true, ""
}
