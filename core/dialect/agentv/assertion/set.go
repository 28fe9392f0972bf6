package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readSet reads several graders that count as one.
func (r *listReader) readSet(g *rubric.Grader, n *yaml.Node) (keep bool) {
	members := n.Get("assert")
	if !members.IsSeq() {
		return r.skipEntry(SetMissing, n, g.Name)
	}
	before := r.inheritedConfig
	r.inheritedConfig = r.mergeConfig(n, nil)
	g.Members = r.readList(members)
	r.inheritedConfig = before
	if len(g.Members) == 0 {
		return r.skipEntry(SetEmpty, n, g.Name)
	}
	g.Assert.Config, _ = n.Get("config").Any().(map[string]any)
	r.readThreshold(g, n.Get("threshold"))
	return true
}

// readComposite reads Stable's sets, whose members need a name and a known type.
func (r *listReader) readComposite(g *rubric.Grader, n *yaml.Node) (keep bool) {
	members, aggregator := firstValue(n, "assertions", "assert", "evaluators"), n.Get("aggregator")
	switch {
	case !members.IsSeq():
		return r.skipEntry(agentv.MembersMissing, n, "")
	case !aggregator.IsMap():
		return r.skipEntry(agentv.AggregatorMissing, n, "")
	}
	typ, _ := aggregator.Get("type").Str()
	if typ != "weighted_average" {
		typ = strings.ReplaceAll(typ, "_", "-")
	}
	switch typ {
	case "code-judge", "llm-judge":
		return r.skipEntry(Deprecated, aggregator.Get("type"), typ)
	case "weighted_average", "threshold", "code-grader", "llm-grader":
	default:
		return r.skipEntry(agentv.AggregatorType, n, "")
	}
	for _, item := range members.List() {
		if member := r.readMember(item); member != nil {
			g.Members = append(g.Members, member)
		}
	}
	if len(g.Members) == 0 {
		return r.skipEntry(agentv.NoMembers, n, "")
	}
	return r.readAggregator(g, typ, aggregator)
}

func (r *listReader) readMember(n *yaml.Node) *rubric.Grader {
	name, _ := n.Get("name").Str()
	typ, _ := n.Get("type").Str()
	if _, known := r.keys.types[typ]; name == "" || !known {
		lacking := "type"
		if name == "" {
			lacking = "name"
		}
		r.skipEntry(agentv.EvaluatorInvalid, n, lacking)
		return nil
	}
	return r.readEntry(n)
}

func (r *listReader) readAggregator(g *rubric.Grader, typ string, n *yaml.Node) (keep bool) {
	a := &rubric.Aggregator{Type: typ}
	g.Combine = a
	switch typ {
	case "weighted_average":
		for _, p := range n.Get("weights").Entries() {
			if weight, ok := p.Value.Number(); ok {
				if a.Weights == nil {
					a.Weights = map[string]float64{}
				}
				a.Weights[p.Key.Value] = weight
			}
		}
	case "threshold":
		share, ok := readShare(n.Get("threshold"))
		if !ok {
			return r.skipEntry(ThresholdOutside, n, "")
		}
		a.Threshold = &share
	case "code-grader": // by their names in the domain
		a.Type = "code_judge"
		if a.Path, _ = n.Get("path").Str(); a.Path == "" {
			return r.skipEntry(agentv.AggregatorPath, n, "")
		}
	default:
		a.Type = "llm_judge"
		a.Prompt, _ = n.Get("prompt").Str()
	}
	return true
}
