package agentv

import (
	"slices"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// trajectoryModes are the modes of all versions, then those since 2026-02-22.
var trajectoryModes = []string{"any_order", "in_order", "exact", "superset", "subset"}

func (l *loader) readTrajectory(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	t := &rubric.Trajectory{}
	t.Mode, _ = n.Get("mode").Str()
	minimums, expected := n.Get("minimums"), n.Get("expected")
	modes := trajectoryModes
	if !l.stable {
		modes = modes[:3]
	}
	switch {
	case !slices.Contains(modes, t.Mode):
		return l.skipEvaluator(ModeInvalid, n)
	case t.Mode == "any_order" && !minimums.IsMap():
		return l.skipEvaluator(MinimumsMissing, n.Get("mode"))
	case t.Mode != "any_order" && !expected.IsSeq():
		return l.skipEvaluator(ExpectedMissing, n.Get("mode"))
	}
	for _, p := range minimums.Entries() {
		count, ok := p.Value.Number()
		if !ok || count < 0 {
			l.addLoss(MinimumDropped, rubric.Silent, p.Value, p.Key.Value)
			continue
		}
		t.Minimums = append(t.Minimums, rubric.Minimum{Tool: p.Key.Value, Count: count})
	}
	for _, item := range expected.List() {
		step := rubric.ToolStep{}
		if step.Tool, _ = item.Get("tool").Str(); step.Tool == "" {
			l.addLoss(StepDropped, rubric.Silent, item, "")
			continue
		}
		step.Args, _ = item.Get("args").Any().(map[string]any)
		if most := firstNumber(item, "max_duration_ms"); most != nil && *most >= 0 {
			step.MaxDurationMS = most
		}
		if l.stable {
			step.ArgsMatch, step.ArgsFields = readArgsMatch(item, n)
		}
		t.Expected = append(t.Expected, step)
	}
	g.Steps = t
	return true, ""
}

// readArgsMatch reads how the arguments of a call are compared, from the first of
// the nodes that says so in a way that the runner understands.
func readArgsMatch(nodes ...*yaml.Node) (how rubric.ArgsMatch, fields []string) {
	for _, n := range nodes {
		match := n.Get("args_match")
		if match.IsNull() {
			match = n.Get("argsMatch")
		}
		for _, item := range match.List() {
			if field, ok := item.Str(); ok && field != "" {
				fields = append(fields, field)
			}
		}
		if len(fields) > 0 {
			return rubric.ArgsListed, fields
		}
		switch text, _ := match.Str(); text {
		case "superset":
			return rubric.ArgsSuperset, nil
		case "exact", "subset", "ignore":
			return rubric.ArgsMatch(text), nil
		}
	}
	return rubric.ArgsExact, nil
}

// firstNumber is the value of the first of some keys that holds a number.
func firstNumber(n *yaml.Node, keys ...string) *float64 {
	for _, key := range keys {
		if f, ok := n.Get(key).Number(); ok {
			return &f
		}
	}
	return nil
}
