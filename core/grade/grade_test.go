package grade_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func at(f float64) *float64 { return &f }

// number returns the score of a result, and 0 of an ungraded one. It is NaN if there is a score and
// should be none, or the reverse.
func number(r score.Result) float64 {
	switch {
	case (r.Score == nil) != (r.Verdict == score.Ungraded):
		return math.NaN()
	case r.Score == nil:
		return 0
	}
	return *r.Score
}

// graded grades without a judge and without programs.
func graded(t *testing.T, profile score.Profile, c *rubric.Case, g *rubric.Grader, sub grade.Submission) score.Result {
	t.Helper()
	return grade.Grade(t.Context(), grade.Ports{Profile: profile}, c, g, sub).Result
}

func TestGraders(t *testing.T) {
	own := &rubric.Grader{Name: "own", Kind: rubric.Cost}
	for _, c := range []struct {
		name string
		c    rubric.Case
		want string
		kind rubric.Kind
	}{
		{"its own", rubric.Case{Graders: []*rubric.Grader{own}, Fallback: rubric.CodeJudge}, "own", rubric.Cost},
		{"none", rubric.Case{}, "llm_judge", rubric.LLMJudge},
		{"the file's fallback", rubric.Case{Fallback: rubric.CodeJudge}, "code_judge", rubric.CodeJudge},
	} {
		if g := grade.GradersOf(&c.c); len(g) != 1 || g[0].Name != c.want || g[0].Kind != c.kind {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}

// TestGradeReturns: whatever is handed in, an outcome comes out, under the
// grader's name and weight, and what went wrong is ungraded.
func TestGradeReturns(t *testing.T) {
	panics := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { panic("out of ink") })
	breaks := func(context.Context, grade.Command) (grade.Output, error) { panic("out of memory") }
	for _, c := range []struct {
		name string
		g    *rubric.Grader
		says string
	}{
		{"an unknown kind", &rubric.Grader{Kind: "telepathy"}, "graders of this kind are not supported: `telepathy`"},
		{"a judge that panics", two(), "grading panicked: out of ink"},
		{"a program that panics", &rubric.Grader{Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"x"}}}, "grading panicked: out of memory"},
		{"a program without settings", &rubric.Grader{Kind: rubric.CodeJudge}, "it names no program to run"},
		{"a trajectory without settings", &rubric.Grader{Kind: rubric.ToolTrajectory}, "tool calls not known"},
		{"no fields", &rubric.Grader{Kind: rubric.FieldAccuracy}, "it lists no fields to compare"},
		{"no members", &rubric.Grader{Kind: rubric.Composite}, "no grader is configured"},
		{"no limit on time", &rubric.Grader{Kind: rubric.Latency}, "it sets no limit"},
		{"no limit on cost", &rubric.Grader{Kind: rubric.Cost}, "it sets no limit"},
		{"no limit on tokens", &rubric.Grader{Kind: rubric.TokenUsage}, "it sets no limit"},
		{"no limit at all", &rubric.Grader{Kind: rubric.ExecutionMetrics}, "it sets no limit"},
		{
			"a member that panics",
			&rubric.Grader{Kind: rubric.Composite, Members: []*rubric.Grader{two()}},
			"`rubric` is ungraded: grading panicked: out of ink",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.g.Name == "" {
				c.g.Name = "g"
			}
			c.g.Weight = 3
			out := grade.Grade(t.Context(), grade.Ports{Judge: panics, Exec: breaks}, &rubric.Case{}, c.g, grade.Submission{})
			if out.Result.Verdict != score.Ungraded || number(out.Result) != 0 || !strings.Contains(out.Result.Ungraded, c.says) {
				t.Errorf("%s, ungraded %q", out.Result.Verdict, out.Result.Ungraded)
			}
			if out.Name != c.g.Name || out.Kind != c.g.Kind || out.Weight != 3 {
				t.Errorf("it is called %s %s of weight %v", out.Kind, out.Name, out.Weight)
			}
		})
	}
}

// TestGradeEnds: once ctx is done, grading ends in every way, even where
// something that computes does not look at ctx.
func TestGradeEnds(t *testing.T) {
	schema := &rubric.Grader{Kind: rubric.Deterministic, Assert: &rubric.Assertion{Type: rubric.IsJSON, Value: map[string]any{}}}
	code := &rubric.Grader{Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"x"}}}
	for name, g := range map[string]*rubric.Grader{
		"a rubric": two(), "a free judgement": {Kind: rubric.LLMJudge}, "a schema": schema, "a program": code,
		"a program's prompt": {Kind: rubric.LLMJudge, Prompt: &rubric.Prompt{Script: []string{"x"}}},
		"an interpreter":     {Kind: rubric.External, Assert: &rubric.Assertion{Type: "python", Value: "True"}},
		"a member":           {Kind: rubric.Composite, Members: []*rubric.Grader{schema}},
		"a set's member":     {Kind: rubric.AssertSet, Members: []*rubric.Grader{code}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ports := grade.Ports{
				Judge: judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
					cancel()
					<-ctx.Done()
					return judge.Answer{}, ctx.Err()
				}),
				Exec: func(ctx context.Context, _ grade.Command) (grade.Output, error) {
					cancel()
					<-ctx.Done()
					return grade.Output{}, ctx.Err()
				},
				Schema: func(any, any) ([]string, error) {
					cancel()
					<-t.Context().Done() // which is after the test
					return nil, nil
				},
			}
			out := grade.Grade(ctx, ports, &rubric.Case{}, g, grade.Submission{Answer: "{}"})
			if number(out.Result) != 0 || !strings.Contains(out.Result.Ungraded, "context canceled") {
				t.Errorf("score %v, ungraded %q", number(out.Result), out.Result.Ungraded)
			}
		})
	}
	ports := grade.Ports{Timeout: 1, Schema: func(any, any) ([]string, error) { <-t.Context().Done(); return nil, nil }}
	if out := grade.Grade(t.Context(), ports, &rubric.Case{}, schema, grade.Submission{Answer: "{}"}); out.Result.Ungraded != "timed out after 1ns" {
		t.Errorf("a schema without an end: ungraded %q", out.Result.Ungraded)
	}
}
