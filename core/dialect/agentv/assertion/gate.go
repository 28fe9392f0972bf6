package assertion

import (
	"math"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

func (r *listReader) readGraderWeight(g *rubric.Grader, n *yaml.Node) {
	if n == nil {
		return
	}
	weight, ok := n.Number()
	switch {
	case !ok:
		r.refuseCase(agentv.WeightNotNumber, n, "")
	case math.IsInf(weight, 0) || math.IsNaN(weight):
		r.refuseCase(agentv.WeightNotFinite, n, "")
	case weight < 0:
		r.refuseCase(agentv.WeightNegative, n, "")
	default:
		g.Weight, g.WeightSpan = weight, r.spanOf(n)
	}
}

// readGate reads what a grader has to reach. A number for `required` was once how a
// minimum was written.
func (r *listReader) readGate(g *rubric.Grader, n *yaml.Node) {
	if minimum := n.Get("min_score"); minimum != nil {
		if score, ok := readShare(minimum); ok && score > 0 {
			g.MinScore, g.MinScoreSpan = &score, r.spanOf(minimum)
		} else {
			r.addLoss(agentv.MinScoreIgnored, rubric.Silent, minimum, "")
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
		g.Required, g.RequiredSpan = yes, r.spanOf(required)
	case isNumber && r.Version == agentv.Head:
		r.refuseCase(RequiredNumeric, required, "")
	case isNumber:
		r.readNumericGate(g, required)
	default:
		r.addLoss(agentv.RequiredDefaulted, rubric.Silent, required, "")
	}
}

func (r *listReader) readNumericGate(g *rubric.Grader, n *yaml.Node) {
	score, ok := readShare(n)
	if !ok || score == 0 {
		r.addLoss(agentv.RequiredDefaulted, rubric.Silent, n, "")
		return
	}
	r.addLoss(Deprecated, rubric.Warns, n, "required")
	g.Required, g.RequiredSpan = true, r.spanOf(n)
	if g.MinScore == nil {
		g.MinScore, g.MinScoreSpan = &score, r.spanOf(n)
	}
}

// readThreshold reads the mean that passes.
func (r *listReader) readThreshold(g *rubric.Grader, n *yaml.Node) {
	if n == nil {
		return
	}
	if value, ok := readShare(n); ok {
		g.Threshold, g.ThresholdSpan = &value, r.spanOf(n)
	} else {
		r.addLoss(ThresholdIgnored, rubric.Silent, n, "")
	}
}

// readShare is a number from 0 to 1.
func readShare(n *yaml.Node) (float64, bool) {
	f, ok := n.Number()
	return f, ok && f >= 0 && f <= 1
}
