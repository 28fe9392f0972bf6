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
