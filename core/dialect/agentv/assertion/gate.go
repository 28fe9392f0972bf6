package assertion

import (
	"math"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (r *reading) weigh(g *rubric.Grader, n *yaml.Node) {
	if n == nil {
		return
	}
	weight, ok := n.Number()
	switch {
	case !ok:
		r.refuse(agentv.WeightNotNumber, n, "")
	case math.IsInf(weight, 0) || math.IsNaN(weight):
		r.refuse(agentv.WeightNotFinite, n, "")
	case weight < 0:
		r.refuse(agentv.WeightNegative, n, "")
	default:
		g.Weight, g.WeightSpan = weight, r.span(n)
	}
}

// gate reads what a grader has to reach. A number for `required` was once how a
// minimum was written.
func (r *reading) gate(g *rubric.Grader, n *yaml.Node) {
	if minimum := n.Get("min_score"); minimum != nil {
		if score, ok := share(minimum); ok && score > 0 {
			g.MinScore, g.MinScoreSpan = &score, r.span(minimum)
		} else {
			r.lose(agentv.MinScoreIgnored, rubric.Silent, minimum, "")
		}
	}
	required := n.Get("required")
	if required == nil {
		return
	}
	yes, isBool := required.Bool()
	_, isNumber := required.Number()
	switch {
	case isBool:
		g.Required, g.RequiredSpan = yes, r.span(required)
	case isNumber && r.Version == agentv.Head:
		r.refuse(RequiredNumeric, required, "")
	case isNumber:
		r.numericGate(g, required)
	default:
		r.lose(agentv.RequiredDefaulted, rubric.Silent, required, "")
	}
}

func (r *reading) numericGate(g *rubric.Grader, n *yaml.Node) {
	score, ok := share(n)
	if !ok || score == 0 {
		r.lose(agentv.RequiredDefaulted, rubric.Silent, n, "")
		return
	}
	r.lose(Deprecated, rubric.Warns, n, "required")
	g.Required, g.RequiredSpan = true, r.span(n)
	if g.MinScore == nil {
		g.MinScore, g.MinScoreSpan = &score, r.span(n)
	}
}

// threshold reads the mean that passes.
func (r *reading) threshold(g *rubric.Grader, n *yaml.Node) {
	if n == nil {
		return
	}
	if value, ok := share(n); ok {
		g.Threshold, g.ThresholdSpan = &value, r.span(n)
	} else {
		r.lose(ThresholdIgnored, rubric.Silent, n, "")
	}
}

// share is a number from 0 to 1.
func share(n *yaml.Node) (float64, bool) {
	f, ok := n.Number()
	return f, ok && f >= 0 && f <= 1
}
