package grade_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestNeedsJudgeAndReadsBeyondAnswer: of every kind of grader it is known whether it asks anybody,
// and whether more than the answer and the summary of its trace makes a difference to it.
func TestNeedsJudgeAndReadsBeyondAnswer(t *testing.T) {
	one, free := 1.0, rubric.Grader{Name: "free", Kind: rubric.LLMJudge}
	prompt := func(p rubric.Prompt) rubric.Grader {
		return rubric.Grader{Name: "own", Kind: rubric.LLMJudge, Prompt: &p}
	}
	calls := rubric.Grader{Name: "calls", Kind: "tool-trajectory", Steps: &rubric.Trajectory{Mode: "any_order", Minimums: []rubric.Minimum{{Tool: "search", Count: 1}}}}
	look := rubric.Grader{Name: "look", Kind: rubric.Deterministic, Assert: &rubric.Assertion{Type: rubric.Contains, Value: "refund"}}
	program := rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"code"}}}
	steps := func(kind string, value any) rubric.Grader {
		return rubric.Grader{Name: "steps", Kind: rubric.TraceSteps, Assert: &rubric.Assertion{Type: kind, Value: value}}
	}
	of := func(how rubric.Aggregator, members ...rubric.Grader) rubric.Grader {
		g := rubric.Grader{Name: "all", Kind: rubric.Composite, Combine: &how}
		for _, m := range members {
			g.Members = append(g.Members, &m)
		}
		return g
	}
	for name, c := range map[string]struct {
		g            rubric.Grader
		asks, beyond bool // where programs are allowed
		bare, looks  bool // and where they are not
	}{
		"a rubric":                      {rubric.Grader{Kind: rubric.LLMJudge, Criteria: []*rubric.Criterion{{ID: "a", Text: "A", Weight: 1}}}, true, false, true, false},
		"a judge":                       {free, true, false, true, false},
		"a prompt":                      {prompt(rubric.Prompt{Text: "{{ candidate_answer }}?"}), true, false, true, false},
		"a prompt with messages":        {prompt(rubric.Prompt{Text: "{{ output_messages }}?"}), true, true, true, true},
		"an assertion's, with calls":    {rubric.Grader{Kind: rubric.LLMJudge, Assert: &rubric.Assertion{}, Prompt: &rubric.Prompt{Text: "{{ tool_calls }}?"}}, true, true, true, true},
		"a program's prompt":            {prompt(rubric.Prompt{Script: []string{"ask"}}), true, true, false, false},
		"a program":                     {program, true, true, false, false},
		"a module":                      {rubric.Grader{Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"code.wasm"}}}, true, true, true, true},
		"no program":                    {rubric.Grader{Kind: rubric.CodeJudge}, false, false, false, false},
		"an interpreter":                {rubric.Grader{Kind: rubric.External, Assert: &rubric.Assertion{Type: "python", Value: "True"}}, true, true, false, false},
		"a plugin":                      {rubric.Grader{Kind: rubric.External, Assert: &rubric.Assertion{Type: "moderation"}}, false, false, false, false},
		"calls":                         {calls, false, true, false, true},
		"steps":                         {steps("trajectory:tool-used", "search"), false, true, false, true},
		"a goal":                        {steps(rubric.GoalSuccess, "A refund"), true, true, true, true},
		"metrics":                       {rubric.Grader{Kind: rubric.ExecutionMetrics, Limits: &rubric.Limits{ToolCalls: &one}}, false, true, false, true},
		"tokens":                        {rubric.Grader{Kind: rubric.TokenUsage, Limits: &rubric.Limits{TotalTokens: &one}}, false, false, false, false},
		"a text":                        {look, false, false, false, false},
		"texts":                         {rubric.Grader{Kind: rubric.AssertSet, Members: []*rubric.Grader{&look, &look}}, false, false, false, false},
		"members":                       {of(rubric.Aggregator{Type: "weighted_average"}, look, free), true, false, true, false},
		"members that look at calls":    {of(rubric.Aggregator{Type: "weighted_average"}, calls, free), true, true, true, true},
		"combined by a judge":           {of(rubric.Aggregator{Type: "llm_judge"}, look), true, false, true, false},
		"combined by one told messages": {of(rubric.Aggregator{Type: "llm_judge", Prompt: "{{ output_messages }}"}, look), true, true, true, true},
		"combined by a program":         {of(rubric.Aggregator{Type: "code_judge", Path: "combine"}, look), true, false, false, false},
	} {
		for _, allowed := range []bool{true, false} {
			var seen string
			ports := grade.Ports{Profile: score.Spec, Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
				seen += q.User
				return judge.Answer{Text: "?"}, nil
			})}
			run := func(_ context.Context, c grade.Command) (grade.Output, error) {
				seen += "ran " + string(c.Stdin)
				return grade.Output{Stdout: []byte("Is it?")}, nil
			}
			if ports.Sandbox = run; allowed {
				ports.Exec = run
			}
			come := func(sub grade.Submission) (string, bool) {
				seen = ""
				out := grade.Grade(t.Context(), ports, &rubric.Case{}, &c.g, sub)
				result, err := json.Marshal(out.Result)
				return fmt.Sprintf("%s %s %v", seen, result, err), seen != ""
			}
			sub := grade.Submission{Answer: "We refund.", Trace: &grade.Trace{}}
			little, asked := come(sub)
			sub.ToolCalls = []grade.ToolCall{{Tool: "search"}}
			sub.Messages = []rubric.Message{{Role: "assistant", Content: "We refund.", ToolCalls: sub.ToolCalls}}
			more, askedMore := come(sub)
			asked = asked || askedMore // checks of a trace need calls
			asks, beyond := c.asks, c.beyond
			if !allowed {
				asks, beyond = c.bare, c.looks
			}
			if asked != asks || ports.NeedsJudgeOrProgram(&c.g) != asks {
				t.Errorf("%s, programs allowed: %v: asks is %v, and it is said to be %v", name, allowed, asked, ports.NeedsJudgeOrProgram(&c.g))
			}
			if (more != little) != beyond || ports.ReadsBeyondAnswer(&c.g) != beyond {
				t.Errorf("%s, programs allowed: %v: beyond is %v, and it is said to be %v", name, allowed, more != little, ports.ReadsBeyondAnswer(&c.g))
			}
		}
	}
}

// TestReadsDuration: for an answer that others share, the host keeps how long the target took only if
// a grader reads it.
func TestReadsDuration(t *testing.T) {
	member := func(g *rubric.Grader) *rubric.Grader {
		return &rubric.Grader{Kind: rubric.AssertSet, Members: []*rubric.Grader{freely(), g}}
	}
	for _, c := range []struct {
		g    *rubric.Grader
		want bool
	}{
		{quick(), true}, {codeJudge(), true}, {&rubric.Grader{Kind: "execution-metrics"}, true}, {&rubric.Grader{Kind: rubric.External}, true},
		{assertion(string(rubric.Latency), 1.0, ""), true}, {assertion(rubric.Contains, "a", ""), false},
		{&rubric.Grader{Kind: rubric.Deterministic}, false}, {cheap(), false}, {freely(), false},
	} {
		for _, g := range []*rubric.Grader{c.g, member(c.g)} {
			if got := grade.ReadsDuration(g); got != c.want {
				t.Errorf("%s, %d members: %v, want %v", c.g.Kind, len(g.Members), got, c.want)
			}
		}
	}
}
