package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var fieldMatchModes = []string{"exact", "numeric_tolerance", "date"}

func (l *loader) readFieldAccuracy(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	for _, item := range n.Get("fields").List() {
		if f, ok := l.readField(item); ok {
			g.Fields = append(g.Fields, f)
		}
	}
	if len(g.Fields) == 0 {
		return l.skipEvaluator(FieldsMissing, n)
	}
	how, _ := n.Get("aggregation").Str()
	g.AllOrNothing = how == "all_or_nothing"
	return true, ""
}

func (l *loader) readField(n *yaml.Node) (f rubric.Field, keep bool) {
	f = rubric.Field{Required: true, Weight: 1}
	if f.Path, _ = n.Get("path").Str(); f.Path == "" {
		l.addLoss(FieldInvalid, rubric.Warns, n, "")
		return f, false
	}
	if f.Match, _ = n.Get("match").Str(); !slices.Contains(fieldMatchModes, f.Match) {
		l.addLoss(MatchInvalid, rubric.Warns, n, f.Match)
		return f, false
	}
	if required, ok := n.Get("required").Bool(); ok {
		f.Required = required
	}
	if weight := firstNumber(n, "weight"); weight != nil {
		f.Weight = *weight
	}
	if tolerance := firstNumber(n, "tolerance"); tolerance != nil {
		f.Tolerance = *tolerance
	}
	f.Relative, _ = n.Get("relative").Bool()
	for _, format := range n.Get("formats").List() {
		if text, ok := format.Str(); ok {
			f.Formats = append(f.Formats, text)
		}
	}
	return f, true
}
