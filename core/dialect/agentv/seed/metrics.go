package seed

import (
	"cmp"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// trajectoryModes are the modes of all versions, followed by the two added on 2026-02-22.
var trajectoryModes = []string{"any_order", "in_order", "exact", "superset", "subset"}

func (l *Loader) readTrajectory(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	t := &rubric.Trajectory{Mode: n.Get("mode").Text()}
	minimums, expected := n.Get("minimums"), n.Get("expected")
	modes := trajectoryModes
	if !l.stable {
		modes = modes[:3]
	}
	switch {
	case !slices.Contains(modes, t.Mode):
		return l.skipEvaluator(agentv.ModeInvalid, n)
	case !minimums.IsMap() && (minimums != nil || t.Mode == "any_order"):
		return l.skipEvaluator(agentv.MinimumsMissing, n.Get("mode"))
	case !expected.IsSeq() && (expected != nil || t.Mode != "any_order"):
		return l.skipEvaluator(agentv.ExpectedMissing, n.Get("mode"))
	}
	for _, p := range minimums.Entries() {
		count, ok := p.Value.Number()
		if !ok || count < 0 {
			l.AddLoss(agentv.MinimumDropped, rubric.Silent, p.Value, p.Key.Value)
			continue
		}
		t.Minimums = append(t.Minimums, rubric.Minimum{Tool: p.Key.Value, Count: count})
	}
	for _, item := range expected.List() {
		step := rubric.ToolStep{Tool: item.Get("tool").Text()}
		if step.Tool == "" {
			l.AddLoss(agentv.StepDropped, rubric.Silent, item, "")
			continue
		}
		step.Args, _ = item.Get("args").Any().(map[string]any)
		if most := firstNumber(item, "max_duration_ms"); most != nil && *most >= 0 {
			step.MaxDurationMS = most
			if t.Untimed = !l.stable; t.Untimed {
				l.AddLoss(agentv.DurationUnread, rubric.Silent, item.Get("max_duration_ms"), "")
			}
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
		switch text := match.Text(); text {
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

func (l *Loader) readFieldAccuracy(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	for _, item := range n.Get("fields").List() {
		if f, ok := l.readField(item); ok {
			g.Fields = append(g.Fields, f)
		}
	}
	if len(g.Fields) == 0 {
		return l.skipEvaluator(agentv.FieldsMissing, n)
	}
	g.AllOrNothing = n.Get("aggregation").Text() == "all_or_nothing"
	return true, ""
}

func (l *Loader) readField(n *yaml.Node) (f rubric.Field, keep bool) {
	f = rubric.Field{Required: true, Weight: *cmp.Or(firstNumber(n, "weight"), new(1.0)), Tolerance: generic.OrZero(firstNumber(n, "tolerance"))}
	if f.Path = n.Get("path").Text(); f.Path == "" {
		l.AddLoss(agentv.FieldInvalid, rubric.Warns, n, "")
		return f, false
	}
	if f.Match = n.Get("match").Text(); !slices.Contains([]string{"exact", "numeric_tolerance", "date"}, f.Match) {
		l.AddLoss(agentv.MatchInvalid, rubric.Warns, n, f.Match)
		return f, false
	}
	if required, ok := n.Get("required").Bool(); ok {
		f.Required = required
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
func (l *Loader) readLimits(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	limits, missing := &rubric.Limits{}, agentv.LimitMissing
	var slack *float64
	switch g.Kind {
	case rubric.Latency:
		limits.DurationMS, missing = readLimit(n.Get("threshold")), agentv.ThresholdInvalid
	case rubric.Cost:
		limits.CostUSD, missing = readLimit(n.Get("budget")), agentv.BudgetInvalid
	case rubric.TokenUsage:
		readFiniteLimits(n, map[string]**float64{
			"max_total": &limits.TotalTokens, "max_input": &limits.InputTokens, "max_output": &limits.OutputTokens,
		})
	case rubric.ExecutionMetrics:
		invalid := readFiniteLimits(n, map[string]**float64{
			"max_tool_calls": &limits.ToolCalls, "max_llm_calls": &limits.LLMCalls, "max_tokens": &limits.TotalTokens,
			"max_cost_usd": &limits.CostUSD, "max_duration_ms": &limits.DurationMS,
			"target_exploration_ratio": &limits.ExplorationRatio, "exploration_tolerance": &slack,
		})
		if invalid != nil {
			return l.skipEvaluator(agentv.LimitInvalid, invalid)
		}
	}
	g.Limits = limits
	if *limits == (rubric.Limits{}) {
		return l.skipEvaluator(missing, n)
	}
	if g.Kind == rubric.ExecutionMetrics {
		limits.ExplorationSlack = *cmp.Or(slack, new(defaultExplorationSlack))
	}
	return true, ""
}

// readLimit returns a number that is not negative, or nil.
func readLimit(n *yaml.Node) *float64 {
	if f, ok := n.Number(); ok && !(f < 0) {
		return &f
	}
	return nil
}

// readFiniteLimits reads limits by their keys, which may be in camel case. It returns the first value
// that is no limit, or nil.
func readFiniteLimits(n *yaml.Node, limits map[string]**float64) (invalid *yaml.Node) {
	for _, p := range n.Entries() {
		limit := limits[p.Key.Value]
		for key, older := range limits {
			if schema.CamelCase(key) == p.Key.Value && n.Get(key).IsNull() {
				limit = older
			}
		}
		if limit == nil || p.Value.IsNull() {
			continue
		}
		if f := readLimit(p.Value); f != nil && !math.IsInf(*f, 0) && !math.IsNaN(*f) {
			*limit = f
		} else if invalid == nil {
			invalid = p.Value
		}
	}
	return invalid
}
