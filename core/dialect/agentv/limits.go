package agentv

import (
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// defaultExplorationSlack is how far from its target a ratio of exploration may be.
const defaultExplorationSlack = 0.2

func (l *loader) readLatency(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{DurationMS: readLimit(n, "threshold")}
	if g.Limits.DurationMS == nil {
		return l.skipEvaluator(ThresholdInvalid, n)
	}
	return true, ""
}

func (l *loader) readCost(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{CostUSD: readLimit(n, "budget")}
	if g.Limits.CostUSD == nil {
		return l.skipEvaluator(BudgetInvalid, n)
	}
	return true, ""
}

func (l *loader) readTokenUsage(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{
		TotalTokens:  readLimit(n, "max_total", "maxTotal"),
		InputTokens:  readLimit(n, "max_input", "maxInput"),
		OutputTokens: readLimit(n, "max_output", "maxOutput"),
	}
	if *g.Limits == (rubric.Limits{}) {
		return l.skipEvaluator(LimitMissing, n)
	}
	return true, ""
}

func (l *loader) readExecutionMetrics(g *rubric.Grader, n *yaml.Node) (keep bool, refused string) {
	g.Limits = &rubric.Limits{
		ToolCalls:        readLimit(n, "max_tool_calls"),
		LLMCalls:         readLimit(n, "max_llm_calls"),
		TotalTokens:      readLimit(n, "max_tokens"),
		CostUSD:          readLimit(n, "max_cost_usd"),
		DurationMS:       readLimit(n, "max_duration_ms"),
		ExplorationRatio: readLimit(n, "target_exploration_ratio"),
	}
	if *g.Limits == (rubric.Limits{}) {
		return l.skipEvaluator(LimitMissing, n)
	}
	g.Limits.ExplorationSlack = defaultExplorationSlack
	if slack := readLimit(n, "exploration_tolerance"); slack != nil {
		g.Limits.ExplorationSlack = *slack
	}
	return true, ""
}

// readLimit is a number that is not negative.
func readLimit(n *yaml.Node, keys ...string) *float64 {
	f := firstNumber(n, keys...)
	if f == nil || !(*f >= 0) {
		return nil
	}
	return f
}
