package seed

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// trajectoryModes are the modes of all versions, followed by the two added on 2026-02-22.
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
		return l.skipEvaluator(agentv.ModeInvalid, n)
	case t.Mode == "any_order" && !minimums.IsMap():
		return l.skipEvaluator(agentv.MinimumsMissing, n.Get("mode"))
	case t.Mode != "any_order" && !expected.IsSeq():
		return l.skipEvaluator(agentv.ExpectedMissing, n.Get("mode"))
	}
	for _, p := range minimums.Entries() {
		count, ok := p.Value.Number()
		if !ok || count < 0 {
			l.addLoss(agentv.MinimumDropped, rubric.Silent, p.Value, p.Key.Value)
			continue
		}
		t.Minimums = append(t.Minimums, rubric.Minimum{Tool: p.Key.Value, Count: count})
	}
	for _, item := range expected.List() {
		step := rubric.ToolStep{}
		if step.Tool, _ = item.Get("tool").Str(); step.Tool == "" {
			l.addLoss(agentv.StepDropped, rubric.Silent, item, "")
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

// readArgsMatch returns how a call's arguments are compared, from the first node with a valid
// setting.
func readArgsMatch(nodes ...*yaml.Node) (mode rubric.ArgsMatch, fields []string) {
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

// firstNumber returns the first number under keys, or nil.
func firstNumber(n *yaml.Node, keys ...string) *float64 {
	for _, key := range keys {
		if f, ok := n.Get(key).Number(); ok {
			return &f
		}
	}
	return nil
}

func (l *loader) readFieldAccuracy(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	for _, item := range n.Get("fields").List() {
		if f, ok := l.readField(item); ok {
			g.Fields = append(g.Fields, f)
		}
	}
	if len(g.Fields) == 0 {
		return l.skipEvaluator(agentv.FieldsMissing, n)
	}
	aggregation, _ := n.Get("aggregation").Str()
	g.AllOrNothing = aggregation == "all_or_nothing"
	return true, ""
}

func (l *loader) readField(n *yaml.Node) (f rubric.Field, keep bool) {
	f = rubric.Field{Required: true, Weight: 1}
	if f.Path, _ = n.Get("path").Str(); f.Path == "" {
		l.addLoss(agentv.FieldInvalid, rubric.Warns, n, "")
		return f, false
	}
	if f.Match, _ = n.Get("match").Str(); !slices.Contains([]string{"exact", "numeric_tolerance", "date"}, f.Match) {
		l.addLoss(agentv.MatchInvalid, rubric.Warns, n, f.Match)
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

// defaultExplorationSlack is the default distance that a ratio may have from its target.
const defaultExplorationSlack = 0.2

// readLimits reads the graders that compare resource use with limits.
func (l *loader) readLimits(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	limits, missing := &rubric.Limits{}, agentv.LimitMissing
	switch g.Kind {
	case rubric.Latency:
		limits.DurationMS, missing = readLimit(n, "threshold"), agentv.ThresholdInvalid
	case rubric.Cost:
		limits.CostUSD, missing = readLimit(n, "budget"), agentv.BudgetInvalid
	case rubric.TokenUsage:
		limits.TotalTokens = readLimit(n, "max_total", "maxTotal")
		limits.InputTokens = readLimit(n, "max_input", "maxInput")
		limits.OutputTokens = readLimit(n, "max_output", "maxOutput")
	case rubric.ExecutionMetrics:
		limits.ToolCalls = readLimit(n, "max_tool_calls")
		limits.LLMCalls = readLimit(n, "max_llm_calls")
		limits.TotalTokens = readLimit(n, "max_tokens")
		limits.CostUSD = readLimit(n, "max_cost_usd")
		limits.DurationMS = readLimit(n, "max_duration_ms")
		limits.ExplorationRatio = readLimit(n, "target_exploration_ratio")
	}
	g.Limits = limits
	if *limits == (rubric.Limits{}) {
		return l.skipEvaluator(missing, n)
	}
	if g.Kind == rubric.ExecutionMetrics {
		limits.ExplorationSlack = defaultExplorationSlack
		if slack := readLimit(n, "exploration_tolerance"); slack != nil {
			limits.ExplorationSlack = *slack
		}
	}
	return true, ""
}

// readLimit returns a non-negative number, or nil.
func readLimit(n *yaml.Node, keys ...string) *float64 {
	f := firstNumber(n, keys...)
	if f == nil || !(*f >= 0) {
		return nil
	}
	return f
}
