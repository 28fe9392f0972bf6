package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

var trajectoryModes = []string{"any_order", "in_order", "exact"}

func (l *losses) trajectory(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	t := &rubric.Trajectory{}
	t.Mode, _ = n.Get("mode").Str()
	minimums, expected := n.Get("minimums"), n.Get("expected")
	switch {
	case !slices.Contains(trajectoryModes, t.Mode):
		return l.skip(ModeInvalid, n)
	case t.Mode == "any_order" && !minimums.IsMap():
		return l.skip(MinimumsMissing, n.Get("mode"))
	case t.Mode != "any_order" && !expected.IsSeq():
		return l.skip(ExpectedMissing, n.Get("mode"))
	}
	for _, p := range minimums.Entries() {
		count, ok := p.Value.Number()
		if !ok || count < 0 {
			l.add(MinimumDropped, rubric.Silent, p.Value, p.Key.Value)
			continue
		}
		t.Minimums = append(t.Minimums, rubric.Minimum{Tool: p.Key.Value, Count: count})
	}
	for _, item := range expected.List() {
		step := rubric.ToolStep{}
		if step.Tool, _ = item.Get("tool").Str(); step.Tool == "" {
			l.add(StepDropped, rubric.Silent, item, "")
			continue
		}
		step.Args, _ = item.Get("args").Any().(map[string]any)
		step.MaxDurationMS = number(item, "max_duration_ms")
		t.Expected = append(t.Expected, step)
	}
	g.Steps = t
	return true, ""
}

// number is the value of the first of some keys that holds a number.
func number(n *yaml.Node, keys ...string) *float64 {
	for _, key := range keys {
		if f, ok := n.Get(key).Number(); ok {
			return &f
		}
	}
	return nil
}
