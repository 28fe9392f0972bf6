package agentv

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// defaultSlack is how far from its target a ratio of exploration may be.
const defaultSlack = 0.2

func (l *losses) latency(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{DurationMS: limit(n, "threshold")}
	if g.Limits.DurationMS == nil {
		return l.skip(ThresholdInvalid, n)
	}
	return true, ""
}

func (l *losses) cost(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{CostUSD: limit(n, "budget")}
	if g.Limits.CostUSD == nil {
		return l.skip(BudgetInvalid, n)
	}
	return true, ""
}

func (l *losses) tokenUsage(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{
		TotalTokens:  limit(n, "max_total", "maxTotal"),
		InputTokens:  limit(n, "max_input", "maxInput"),
		OutputTokens: limit(n, "max_output", "maxOutput"),
	}
	if *g.Limits == (rubric.Limits{}) {
		return l.skip(LimitMissing, n)
	}
	return true, ""
}

func (l *losses) executionMetrics(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{
		ToolCalls:        limit(n, "max_tool_calls"),
		LLMCalls:         limit(n, "max_llm_calls"),
		TotalTokens:      limit(n, "max_tokens"),
		CostUSD:          limit(n, "max_cost_usd"),
		DurationMS:       limit(n, "max_duration_ms"),
		ExplorationRatio: limit(n, "target_exploration_ratio"),
	}
	if *g.Limits == (rubric.Limits{}) {
		return l.skip(LimitMissing, n)
	}
	g.Limits.ExplorationSlack = defaultSlack
	if slack := limit(n, "exploration_tolerance"); slack != nil {
		g.Limits.ExplorationSlack = *slack
	}
	return true, ""
}

// limit is a number that is not negative.
func limit(n *yaml.Node, keys ...string) *float64 {
	f := number(n, keys...)
	if f == nil || !(*f >= 0) {
		return nil
	}
	return f
}
