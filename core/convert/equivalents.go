package convert

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// CriterionInADK says how ADK would score a criterion of AgentV's, one of so many of its
// case.
func CriterionInADK(c *rubric.Criterion, count int) string {
	answer := "in ADK: a yes or no by the majority of samples"
	if count > 1 {
		answer += fmt.Sprintf(", 1 of %d that count the same", count)
	}
	var lost []string
	if c.HasBands() {
		lost = append(lost, "score ranges")
	}
	if c.Weight != 1 {
		lost = append(lost, "weight")
	}
	if c.IsRequired() || c.MinScore != nil {
		lost = append(lost, "gate")
	}
	if len(lost) == 0 {
		return answer
	}
	return answer + ", without " + diag.JoinList(lost, "or")
}

// RubricInAgentV says how AgentV would score a rubric of ADK's that a metric
// judges by.
func RubricInAgentV(name string) string {
	if name != metric.ResponseQuality {
		return "in AgentV: there is nothing like it, since its judge sees only what is said in the end"
	}
	return fmt.Sprintf("in AgentV: a criterion of weight 1, and a gate unless `required: false` is written; its case passes from %v", score.PassAt)
}

// MetricInAgentV says what AgentV has in the place of a metric.
func MetricInAgentV(name string) string {
	switch name {
	case metric.ResponseQuality:
		return RubricInAgentV(name)
	case metric.ToolTrajectory:
		return "in AgentV: `tool_trajectory`, whose score is the share of calls that match, each by the arguments that are named"
	case metric.FinalResponseMatch:
		return "in AgentV: `llm_judge` without a rubric, which scores from 0 to 1"
	case metric.Safety:
		return "in AgentV: `llm_judge` with a rubric of the six harms, each a gate"
	}
	return "in AgentV: there is no grader like it"
}
