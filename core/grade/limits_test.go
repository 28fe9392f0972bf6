package grade_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func TestLimits(t *testing.T) {
	one := 1
	trace := &grade.Trace{
		DurationMS: at(2000), CostUSD: at(0.02), TokenUsage: &grade.Tokens{Input: 300, Output: 200, Cached: 50}, LLMCalls: &one,
		ToolCallsByName: map[string]int{"Read": 2, "search": 1, "edit": 2},
	}
	for _, c := range []struct {
		name   string
		kind   rubric.Kind
		limits rubric.Limits
		want   float64
	}{
		{"time, just", rubric.Latency, rubric.Limits{DurationMS: at(2000)}, 1},
		{"time, not quite", rubric.Latency, rubric.Limits{DurationMS: at(1999)}, 0},
		{"cost, just", rubric.Cost, rubric.Limits{CostUSD: at(0.02)}, 1},
		{"cost, not quite", rubric.Cost, rubric.Limits{CostUSD: at(0.01)}, 0},
		{"cached tokens are tokens", rubric.TokenUsage, rubric.Limits{TotalTokens: at(549)}, 0},
		{"all limits on tokens", rubric.TokenUsage, rubric.Limits{TotalTokens: at(550), InputTokens: at(300), OutputTokens: at(200)}, 1},
		{"one limit of two", rubric.TokenUsage, rubric.Limits{InputTokens: at(300), OutputTokens: at(199)}, 0},
		{"one limit of three", rubric.TokenUsage, rubric.Limits{TotalTokens: at(550), InputTokens: at(300), OutputTokens: at(199)}, 0},
		{"the share of limits", rubric.ExecutionMetrics, rubric.Limits{DurationMS: at(3000), CostUSD: at(0.01), ToolCalls: at(5), LLMCalls: at(0)}, 0.5},
		{"cached tokens are no metric", rubric.ExecutionMetrics, rubric.Limits{TotalTokens: at(500)}, 1},
		{"tokens read and written", rubric.ExecutionMetrics, rubric.Limits{TotalTokens: at(499)}, 0},
		{"more tool calls than allowed", rubric.ExecutionMetrics, rubric.Limits{ToolCalls: at(4)}, 0},
		{"exploring, 0.6 within 0.2 of 0.8", rubric.ExecutionMetrics, rubric.Limits{ExplorationRatio: at(0.8), ExplorationSlack: 0.2}, 1},
		{"exploring too little", rubric.ExecutionMetrics, rubric.Limits{ExplorationRatio: at(0.9), ExplorationSlack: 0.2}, 0},
	} {
		g := &rubric.Grader{Kind: c.kind, Limits: &c.limits}
		if r := graded(t, score.Spec, &rubric.Case{}, g, grade.Submission{Trace: trace}); number(r) != c.want || r.Ungraded != "" {
			t.Errorf("%s: %v, want %v (%v %s)", c.name, number(r), c.want, r.Misses, r.Ungraded)
		}
		r := graded(t, score.Spec, &rubric.Case{}, g, grade.Submission{})
		if r.Verdict != score.Ungraded || !strings.Contains(r.Ungraded, " not known: ") {
			t.Errorf("%s, without a trace: %s %q", c.name, r.Verdict, r.Ungraded)
		}
		a := graded(t, score.AgentV, &rubric.Case{}, g, grade.Submission{})
		if number(a) != 0 || a.Verdict != score.Fail || a.Ungraded != "" || len(a.Misses) == 0 {
			t.Errorf("%s, without a trace, to the reference: %+v", c.name, a)
		}
	}
}

// TestMetricsPartlyKnown: a limit that cannot be checked is ungraded, and to the
// reference it is exceeded.
func TestMetricsPartlyKnown(t *testing.T) {
	g := &rubric.Grader{Kind: rubric.ExecutionMetrics, Limits: &rubric.Limits{CostUSD: at(1), LLMCalls: at(3)}}
	sub := grade.Submission{Trace: &grade.Trace{CostUSD: at(0.5)}}
	if r := graded(t, score.Spec, &rubric.Case{}, g, sub); r.Ungraded != "model calls not known: the target does not report it" || r.Verdict != score.Ungraded {
		t.Errorf("%+v", r)
	}
	if r := graded(t, score.AgentV, &rubric.Case{}, g, sub); number(r) != 0.5 || r.Ungraded != "" {
		t.Errorf("to the reference: %+v", r)
	}
	seven := 7
	counted := grade.Submission{Trace: &grade.Trace{EventCount: &seven}}
	g.Limits = &rubric.Limits{ToolCalls: at(6)}
	if r := graded(t, score.Spec, &rubric.Case{}, g, counted); number(r) != 0 || r.Ungraded != "" {
		t.Errorf("a number of calls is enough to limit it: %+v", r)
	}
}
