package conformance

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// config is an evaluator as the reference's code configures it: keys in either
// of its two spellings.
type config map[string]any

func (c config) get(keys ...string) any {
	for _, k := range keys {
		if v, ok := c[k]; ok {
			return v
		}
	}
	return nil
}

func (c config) text(keys ...string) string {
	s, _ := c.get(keys...).(string)
	return s
}

func (c config) number(keys ...string) *float64 {
	if n, ok := c.get(keys...).(float64); ok {
		return &n
	}
	return nil
}

func (c config) list(key string) []config {
	items, _ := c[key].([]any)
	var all []config
	for _, i := range items {
		m, _ := i.(map[string]any)
		all = append(all, m)
	}
	return all
}

func (c config) grader(t *testing.T) *rubric.Grader {
	g := &rubric.Grader{Name: c.text("name"), Kind: rubric.Kind(c.text("type")), Weight: 1}
	if w := c.number("weight"); w != nil {
		g.Weight = *w
	}
	if c["rubrics"] != nil {
		raw, _ := json.Marshal(c["rubrics"])
		g.Criteria = criteria(decode[[]item](t, raw))
	}
	if p := c.text("prompt"); p != "" {
		g.Prompt = &rubric.Prompt{Text: p}
	}
	g.Limits = c.limits(g.Kind)
	g.Steps = c.steps()
	g.Fields, g.AllOrNothing = c.fields(), c.text("aggregation") == "all_or_nothing"
	if script := c.get("script"); script != nil {
		g.Code = &rubric.Code{Argv: argv(script)}
	}
	for _, m := range c.list("evaluators") {
		g.Members = append(g.Members, m.grader(t))
	}
	if a, ok := c["aggregator"].(map[string]any); ok {
		agg := config(a)
		g.Combine = &rubric.Aggregator{Type: agg.text("type"), Path: agg.text("path"), Prompt: agg.text("prompt"), Weights: map[string]float64{}}
		weights, _ := a["weights"].(map[string]any)
		for name, w := range weights {
			g.Combine.Weights[name], _ = w.(float64)
		}
	}
	return g
}

func argv(script any) []string {
	if line, ok := script.(string); ok {
		return []string{"sh", "-lc", line}
	}
	var args []string
	items, _ := script.([]any)
	for _, i := range items {
		args = append(args, fmt.Sprint(i))
	}
	return args
}

func (c config) limits(kind rubric.Kind) *rubric.Limits {
	l := &rubric.Limits{
		CostUSD:     c.number("budget", "max_cost_usd", "maxCostUsd"),
		TotalTokens: c.number("max_total", "maxTotal", "max_tokens", "maxTokens"),
		InputTokens: c.number("max_input", "maxInput"), OutputTokens: c.number("max_output", "maxOutput"),
		ToolCalls: c.number("max_tool_calls"), LLMCalls: c.number("max_llm_calls"),
		DurationMS: c.number("max_duration_ms"), ExplorationRatio: c.number("target_exploration_ratio"), ExplorationSlack: 0.2,
	}
	if kind == rubric.Latency {
		l.DurationMS = c.number("threshold")
	}
	return l
}

func (c config) steps() *rubric.Trajectory {
	s := &rubric.Trajectory{Mode: c.text("mode")}
	minimums, _ := c["minimums"].(map[string]any)
	for _, tool := range sortedKeys(minimums) {
		n, _ := minimums[tool].(float64)
		s.Minimums = append(s.Minimums, rubric.Minimum{Tool: tool, Count: n})
	}
	for _, e := range c.list("expected") {
		step := rubric.ToolStep{Tool: e.text("tool"), MaxDurationMS: e.number("maxDurationMs", "max_duration_ms")}
		step.Args, _ = e["args"].(map[string]any) // the word `any` asks for none in particular
		s.Expected = append(s.Expected, step)
	}
	return s
}

func (c config) fields() []rubric.Field {
	var all []rubric.Field
	for _, f := range c.list("fields") {
		field := rubric.Field{Path: f.text("path"), Match: f.text("match"), Required: true, Weight: 1}
		if required, ok := f["required"].(bool); ok {
			field.Required = required
		}
		if w := f.number("weight"); w != nil {
			field.Weight = *w
		}
		if tolerance := f.number("tolerance"); tolerance != nil {
			field.Tolerance = *tolerance
		}
		field.Relative, _ = f["relative"].(bool)
		formats, _ := f["formats"].([]any)
		for _, format := range formats {
			field.Formats = append(field.Formats, fmt.Sprint(format))
		}
		all = append(all, field)
	}
	return all
}

// trace is what the reference's provider reports of a run, in either spelling.
func (c config) trace() *grade.Trace {
	tr := &grade.Trace{DurationMS: c.number("duration_ms", "durationMs"), CostUSD: c.number("cost_usd", "costUsd")}
	if usage, ok := c.get("token_usage", "tokenUsage").(map[string]any); ok {
		tr.TokenUsage = &grade.Tokens{}
		for key, field := range map[string]*float64{"input": &tr.TokenUsage.Input, "output": &tr.TokenUsage.Output, "cached": &tr.TokenUsage.Cached} {
			if n := config(usage).number(key); n != nil {
				*field = *n
			}
		}
	}
	return tr
}

// graderView is a grader with the keys that the reference holds it under. What
// was not written is not in it.
func graderView(g *rubric.Grader) map[string]any {
	view := map[string]any{"name": g.Name, "type": kindView(g.Kind)}
	if !g.WeightSpan.Empty() {
		view["weight"] = g.Weight
	}
	if len(g.Criteria) > 0 {
		view["rubrics"] = criteriaView(g.Criteria)
	}
	if g.Prompt != nil && g.Prompt.Text != "" {
		view["prompt"] = g.Prompt.Text
	}
	if g.Code != nil {
		view["script"] = g.Code.Argv
		setIf(view, "cwd", g.Code.Dir, g.Code.Dir != "")
		setIf(view, "config", g.Code.Config, g.Code.Config != nil)
		if g.Code.MaxCalls != nil {
			view["target"] = map[string]any{}
			if n := *g.Code.MaxCalls; n != 50 { // the default
				view["target"] = map[string]any{"max_calls": n}
			}
		}
	}
	if g.Combine != nil {
		how := map[string]any{"type": g.Combine.Type}
		setIf(how, "weights", g.Combine.Weights, g.Combine.Weights != nil)
		setIf(how, "path", g.Combine.Path, g.Combine.Path != "")
		setIf(how, "prompt", g.Combine.Prompt, g.Combine.Prompt != "")
		view["aggregator"] = how
		var members []any
		for _, m := range g.Members {
			members = append(members, graderView(m))
		}
		view["evaluators"] = members
	}
	if g.Steps != nil {
		stepsView(view, g.Steps)
	}
	if g.Fields != nil {
		fieldsView(view, g)
	}
	if l := g.Limits; l != nil {
		limitsView(view, g.Kind, l)
	}
	return view
}

func setIf(view map[string]any, key string, value any, there bool) {
	if there {
		view[key] = value
	}
}

func criteriaView(criteria []*rubric.Criterion) []any {
	var all []any
	for _, c := range criteria {
		view := map[string]any{"id": c.ID, "weight": c.Weight}
		setIf(view, "expected_outcome", c.Text, c.Text != "")
		setIf(view, "required", c.IsRequired(), c.Required != nil || !c.HasBands())
		if c.MinScore != nil {
			view["required_min_score"] = *c.MinScore
		}
		var ranges []any
		for _, b := range c.Bands {
			ranges = append(ranges, map[string]any{"score_range": [2]float64{b.Lo, b.Hi}, "expected_outcome": b.Text})
		}
		setIf(view, "score_ranges", ranges, ranges != nil)
		all = append(all, view)
	}
	return all
}

func stepsView(view map[string]any, s *rubric.Trajectory) {
	view["mode"] = s.Mode
	minimums := map[string]any{}
	for _, m := range s.Minimums {
		minimums[m.Tool] = m.Count
	}
	setIf(view, "minimums", minimums, len(minimums) > 0)
	var expected []any
	for _, step := range s.Expected {
		one := map[string]any{"tool": step.Tool}
		setIf(one, "args", step.Args, step.Args != nil)
		expected = append(expected, one)
	}
	setIf(view, "expected", expected, expected != nil)
}

func fieldsView(view map[string]any, g *rubric.Grader) {
	var fields []any
	for _, f := range g.Fields {
		one := map[string]any{"path": f.Path, "match": f.Match}
		setIf(one, "required", f.Required, !f.Required)
		setIf(one, "weight", f.Weight, f.Weight != 1)
		setIf(one, "tolerance", f.Tolerance, f.Tolerance != 0)
		setIf(one, "relative", f.Relative, f.Relative)
		setIf(one, "formats", f.Formats, f.Formats != nil)
		fields = append(fields, one)
	}
	view["fields"] = fields
	setIf(view, "aggregation", "all_or_nothing", g.AllOrNothing)
}

func limitsView(view map[string]any, kind rubric.Kind, l *rubric.Limits) {
	keys := map[string]*float64{"max_total": l.TotalTokens, "max_input": l.InputTokens, "max_output": l.OutputTokens}
	switch kind {
	case rubric.Latency:
		keys = map[string]*float64{"threshold": l.DurationMS}
	case rubric.Cost:
		keys = map[string]*float64{"budget": l.CostUSD}
	case rubric.ExecutionMetrics:
		keys = map[string]*float64{
			"max_tool_calls": l.ToolCalls, "max_llm_calls": l.LLMCalls, "max_tokens": l.TotalTokens, "max_cost_usd": l.CostUSD,
			"max_duration_ms": l.DurationMS, "target_exploration_ratio": l.ExplorationRatio,
		}
	}
	for key, value := range keys {
		if value != nil {
			view[key] = *value
		}
	}
}
