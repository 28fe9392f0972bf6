package conformance

import "github.com/rubric-ls/rubric/core/rubric"

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
	if g.Code != nil {
		view["script"] = g.Code.Argv
		setIf(view, "cwd", g.Code.Dir, g.Code.Dir != "")
		setIf(view, "config", g.Code.Config, g.Code.Config != nil)
		if g.Code.MaxCalls != nil {
			view["target"] = map[string]any{"max_calls": *g.Code.MaxCalls}
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
