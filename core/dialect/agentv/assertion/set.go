package assertion

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// set reads several graders that count as one.
func (r *reading) set(g *rubric.Grader, n *yaml.Node) (keep bool) {
	members := n.Get("assert")
	if !members.IsSeq() {
		return r.skip(SetMissing, n, g.Name)
	}
	before := r.shared
	r.shared = r.config(n, nil)
	g.Members = r.list(members)
	r.shared = before
	if len(g.Members) == 0 {
		return r.skip(SetEmpty, n, g.Name)
	}
	g.Assert.Config, _ = n.Get("config").Any().(map[string]any)
	r.threshold(g, n.Get("threshold"))
	return true
}

// composite reads Stable's sets, whose members need a name and a known type.
func (r *reading) composite(g *rubric.Grader, n *yaml.Node) (keep bool) {
	members, how := first(n, "assertions", "assert", "evaluators"), n.Get("aggregator")
	switch {
	case !members.IsSeq():
		return r.skip(agentv.MembersMissing, n, "")
	case !how.IsMap():
		return r.skip(agentv.AggregatorMissing, n, "")
	}
	typ, _ := how.Get("type").Str()
	if typ != "weighted_average" {
		typ = strings.ReplaceAll(typ, "_", "-")
	}
	switch typ {
	case "code-judge", "llm-judge":
		return r.skip(Deprecated, how.Get("type"), typ)
	case "weighted_average", "threshold", "code-grader", "llm-grader":
	default:
		return r.skip(agentv.AggregatorType, n, "")
	}
	for _, item := range members.List() {
		if member := r.member(item); member != nil {
			g.Members = append(g.Members, member)
		}
	}
	if len(g.Members) == 0 {
		return r.skip(agentv.NoMembers, n, "")
	}
	return r.aggregator(g, typ, how)
}

func (r *reading) member(n *yaml.Node) *rubric.Grader {
	name, _ := n.Get("name").Str()
	typ, _ := n.Get("type").Str()
	if _, known := r.words.forms[typ]; name == "" || !known {
		lacking := "type"
		if name == "" {
			lacking = "name"
		}
		r.skip(agentv.EvaluatorInvalid, n, lacking)
		return nil
	}
	return r.entry(n)
}

func (r *reading) aggregator(g *rubric.Grader, typ string, n *yaml.Node) (keep bool) {
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
		share, ok := share(n.Get("threshold"))
		if !ok {
			return r.skip(ThresholdOutside, n, "")
		}
		a.Threshold = &share
	case "code-grader": // by their names in the domain
		a.Type = "code_judge"
		if a.Path, _ = n.Get("path").Str(); a.Path == "" {
			return r.skip(agentv.AggregatorPath, n, "")
		}
	default:
		a.Type = "llm_judge"
		a.Prompt, _ = n.Get("prompt").Str()
	}
	return true
}
