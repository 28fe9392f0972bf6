package grade_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func program(stdout string, code int, err error) grade.Exec {
	return func(context.Context, grade.Command) (grade.Output, error) {
		return grade.Output{Stdout: []byte(stdout), Stderr: []byte("oh no"), Code: code}, err
	}
}

func TestCodeJudge(t *testing.T) {
	g := &rubric.Grader{Name: "code", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"judge"}}}
	for _, c := range []struct {
		name     string
		exec     grade.Exec
		score    float64
		ungraded string
		miss     string
	}{
		{"not allowed", nil, 0, "--allow-exec", ""},
		{"well", program(`{"score":0.8,"hits":["a",""],"reasoning":"fine"}`, 0, nil), 0.8, "", ""},
		{"too much", program(`{"score":7}`, 0, nil), 1, "", ""},
		{"no JSON", program(`fine`, 0, nil), 0, "no JSON object", ""},
		{"nothing", program(``, 0, nil), 0, "no JSON object", ""},
		{"no score", program(`{"verdict":"pass"}`, 0, nil), 0, "`score` is missing", ""},
		{"fails", program(`{"score":1}`, 3, nil), 0, "", "code 3: oh no"},
		{"times out", program("", 0, errors.New("timed out after 2s")), 0, "timed out", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := grade.Grade(t.Context(), grade.Ports{Exec: c.exec}, &rubric.Case{}, g, grade.Submission{}).Result
			if r.Score != c.score || (r.Ungraded == "") != (c.ungraded == "") || !strings.Contains(r.Ungraded, c.ungraded) ||
				!strings.Contains(strings.Join(r.Misses, " "), c.miss) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestCodeJudgeIsTold: the program gets all there is, and what is absent is null.
func TestCodeJudgeIsTold(t *testing.T) {
	var got grade.Command
	exec := func(_ context.Context, c grade.Command) (grade.Output, error) {
		got = c
		return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
	}
	g := &rubric.Grader{Kind: rubric.CodeJudge, Code: &rubric.Code{Argv: []string{"a", "b"}, Dir: "d", Config: map[string]any{"k": 1.0}}}
	grade.Grade(t.Context(), grade.Ports{Exec: exec}, &rubric.Case{Question: "Q", ExpectedOutcome: "O"}, g, grade.Submission{Answer: "<A>"})
	var told map[string]any
	if err := json.Unmarshal(got.Stdin, &told); err != nil {
		t.Fatal(err)
	}
	if told["question"] != "Q" || told["candidate_answer"] != "<A>" || told["reference_answer"] != nil || told["config"].(map[string]any)["k"] != 1.0 {
		t.Errorf("told %s", got.Stdin)
	}
	if strings.Join(got.Argv, " ") != "a b" || got.Dir != "d" {
		t.Errorf("run %+v", got)
	}
}

func call(tool string, args map[string]any, ms float64) grade.ToolCall {
	return grade.ToolCall{Tool: tool, Input: args, DurationMS: &ms}
}

func TestTrajectory(t *testing.T) {
	limit := 100.0
	trace := []grade.ToolCall{call("search", map[string]any{"q": "x", "n": 1.0}, 50), call("open", nil, 200), call("search", nil, 10)}
	step := func(tool string, args map[string]any) rubric.ToolStep { return rubric.ToolStep{Tool: tool, Args: args} }
	for _, c := range []struct {
		name  string
		steps rubric.Trajectory
		want  float64
	}{
		{"often enough", rubric.Trajectory{Mode: "any_order", Minimums: []rubric.Minimum{{Tool: "search", Count: 2}, {Tool: "open", Count: 1}}}, 1},
		{"half often enough", rubric.Trajectory{Mode: "any_order", Minimums: []rubric.Minimum{{Tool: "search", Count: 3}, {Tool: "open", Count: 1}}}, 0.5},
		{"in order with others between", rubric.Trajectory{Mode: "in_order", Expected: []rubric.ToolStep{step("search", nil), step("search", nil)}}, 1},
		{"out of order", rubric.Trajectory{Mode: "in_order", Expected: []rubric.ToolStep{step("open", nil), step("open", nil)}}, 0.5},
		{"some of the arguments", rubric.Trajectory{Mode: "in_order", Expected: []rubric.ToolStep{step("search", map[string]any{"q": "x"})}}, 1},
		{"other arguments", rubric.Trajectory{Mode: "in_order", Expected: []rubric.ToolStep{step("search", map[string]any{"q": "y"})}}, 0},
		{"exact", rubric.Trajectory{Mode: "exact", Expected: []rubric.ToolStep{step("search", nil), step("open", nil), step("search", nil)}}, 1},
		{"exact, another", rubric.Trajectory{Mode: "exact", Expected: []rubric.ToolStep{step("search", nil), step("search", nil), step("search", nil)}}, 2.0 / 3},
		{"too slow", rubric.Trajectory{Mode: "in_order", Expected: []rubric.ToolStep{{Tool: "open", MaxDurationMS: &limit}}}, 0.5},
	} {
		g := &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &c.steps}
		r := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, g, grade.Submission{ToolCalls: trace}).Result
		if r.Score != c.want {
			t.Errorf("%s: %v, want %v: %v %v", c.name, r.Score, c.want, r.Hits, r.Misses)
		}
	}
	g := &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &rubric.Trajectory{Mode: "exact"}}
	if r := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, g, grade.Submission{}).Result; r.Ungraded == "" {
		t.Errorf("without a trace nothing can be said: %+v", r)
	}
}

func TestFieldAccuracy(t *testing.T) {
	reference := `{"total": 100, "day": "2026-03-14", "name": "Ann", "lines": [{"n": 1}], "gone": true}`
	for _, c := range []struct {
		name   string
		answer string
		field  rubric.Field
		want   float64
	}{
		{"exact", `{"name": "Ann"}`, rubric.Field{Path: "name", Match: "exact"}, 1},
		{"in a fence", "```json\n{\"name\": \"Ann\"}\n```", rubric.Field{Path: "name", Match: "exact"}, 1},
		{"number and text differ", `{"total": "100"}`, rubric.Field{Path: "total", Match: "exact"}, 0},
		{"near enough", `{"total": 100.4}`, rubric.Field{Path: "total", Match: "numeric_tolerance", Tolerance: 0.5}, 1},
		{"not near enough", `{"total": 101}`, rubric.Field{Path: "total", Match: "numeric_tolerance", Tolerance: 0.5}, 0},
		{"relatively near", `{"total": "104"}`, rubric.Field{Path: "total", Match: "numeric_tolerance", Tolerance: 0.05, Relative: true}, 1},
		{"the same day", `{"day": "14-MAR-2026"}`, rubric.Field{Path: "day", Match: "date", Formats: []string{"DD-MMM-YYYY", "YYYY-MM-DD"}}, 1},
		{"another day", `{"day": "2026-03-15"}`, rubric.Field{Path: "day", Match: "date"}, 0},
		{"deep", `{"lines": [{"n": 1}]}`, rubric.Field{Path: "lines[0].n", Match: "exact"}, 1},
		{"missing", `{}`, rubric.Field{Path: "name", Match: "exact", Required: true}, 0},
		{"no JSON", `Ann`, rubric.Field{Path: "name", Match: "exact", Required: true}, 0},
	} {
		c.field.Weight = 1
		g := &rubric.Grader{Kind: rubric.FieldAccuracy, Fields: []rubric.Field{c.field}}
		k := &rubric.Case{ReferenceAnswer: reference, Expected: []rubric.Message{{Role: "assistant", Content: parsed(reference)}}}
		r := grade.Grade(t.Context(), grade.Ports{}, k, g, grade.Submission{Answer: c.answer}).Result
		if r.Score != c.want {
			t.Errorf("%s: %v, want %v: %v %v %s", c.name, r.Score, c.want, r.Hits, r.Misses, r.Ungraded)
		}
	}
}

func parsed(text string) any {
	var v any
	_ = json.Unmarshal([]byte(text), &v)
	return v
}

func TestLimits(t *testing.T) {
	at := func(f float64) *float64 { return &f }
	one := 1
	trace := &grade.Trace{
		DurationMS: at(2000), CostUSD: at(0.02), TokenUsage: &grade.Tokens{Input: 300, Output: 200}, LLMCalls: &one,
		EventCount: &one, ToolCallsByName: map[string]int{"search": 1},
	}
	for _, c := range []struct {
		kind   rubric.Kind
		limits rubric.Limits
		want   float64
	}{
		{rubric.Latency, rubric.Limits{DurationMS: at(2000)}, 1},
		{rubric.Latency, rubric.Limits{DurationMS: at(1999)}, 0},
		{rubric.Cost, rubric.Limits{CostUSD: at(0.02)}, 1},
		{rubric.Cost, rubric.Limits{CostUSD: at(0.01)}, 0},
		{rubric.TokenUsage, rubric.Limits{TotalTokens: at(500), OutputTokens: at(200)}, 1},
		{rubric.TokenUsage, rubric.Limits{TotalTokens: at(500), OutputTokens: at(199)}, 0},
		{rubric.ExecutionMetrics, rubric.Limits{DurationMS: at(3000), CostUSD: at(0.01), ToolCalls: at(1), LLMCalls: at(0)}, 0.5},
	} {
		g := &rubric.Grader{Kind: c.kind, Limits: &c.limits}
		if r := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, g, grade.Submission{Trace: trace}).Result; r.Score != c.want {
			t.Errorf("%s %+v: %v, want %v (%v)", c.kind, c.limits, r.Score, c.want, r.Misses)
		}
		if r := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, g, grade.Submission{}).Result; r.Ungraded == "" && c.kind != rubric.ExecutionMetrics {
			t.Errorf("%s without data is %+v", c.kind, r)
		}
		if r := grade.Grade(t.Context(), grade.Ports{Profile: score.AgentV}, &rubric.Case{}, g, grade.Submission{}).Result; r.Score != 0 || r.Ungraded != "" {
			t.Errorf("%s without data is a 0 to the reference, not %+v", c.kind, r)
		}
	}
}

// TestComposite combines members in each way, and by the rules a member's gate
// is the composite's.
func TestComposite(t *testing.T) {
	at := func(f float64) *float64 { return &f }
	slow := &rubric.Grader{Name: "quick", Kind: rubric.Latency, Weight: 1, Limits: &rubric.Limits{DurationMS: at(1)}}
	cheap := &rubric.Grader{Name: "cheap", Kind: rubric.Cost, Weight: 1, Limits: &rubric.Limits{CostUSD: at(1)}}
	sub := grade.Submission{Trace: &grade.Trace{DurationMS: at(100), CostUSD: at(0)}}
	composite := func(how rubric.Aggregator, members ...*rubric.Grader) *rubric.Grader {
		return &rubric.Grader{Name: "all", Kind: rubric.Composite, Weight: 1, Combine: &how, Members: members}
	}
	j := &script{replies: []string{`{"score":0.7,"hits":[],"misses":[],"reasoning":"so so"}`}}
	for _, c := range []struct {
		name string
		how  rubric.Aggregator
		want float64
	}{
		{"evenly", rubric.Aggregator{Type: "weighted_average"}, 0.5},
		{"by weight", rubric.Aggregator{Type: "weighted_average", Weights: map[string]float64{"cheap": 3}}, 0.75},
		{"by a program", rubric.Aggregator{Type: "code_judge", Path: "combine.py"}, 0.25},
		{"by a judge", rubric.Aggregator{Type: "llm_judge"}, 0.7},
	} {
		ports := grade.Ports{Judge: j, Exec: program(`{"score":0.25}`, 0, nil)}
		out := grade.Grade(t.Context(), ports, &rubric.Case{}, composite(c.how, slow, cheap), sub)
		if out.Result.Score != c.want || len(out.Members) != 2 || out.Combine != c.how.Type {
			t.Errorf("%s: %+v", c.name, out)
		}
	}
	if last := j.asked[len(j.asked)-1].User; !strings.Contains(last, `"quick"`) || !strings.Contains(last, `"cheap"`) {
		t.Errorf("the judge does not see the members' results:\n%s", last)
	}
	gated := &script{replies: []string{strings.Replace(both, "true", "false", 1)}}
	out := grade.Grade(t.Context(), grade.Ports{Judge: gated}, &rubric.Case{},
		composite(rubric.Aggregator{Type: "weighted_average", Weights: map[string]float64{"cheap": 99}}, two(), cheap), sub)
	if out.Result.Score < 0.9 || out.Result.Verdict != score.Fail {
		t.Errorf("a member's gate does not hold: %+v", out.Result)
	}
	free := &script{replies: []string{`{"score":1,"hits":[],"misses":[]}`}}
	out = grade.Grade(t.Context(), grade.Ports{Judge: free, Profile: score.AgentV}, &rubric.Case{},
		composite(rubric.Aggregator{Type: "weighted_average"}, two()), sub)
	if out.Result.Score != 1 || len(out.Members[0].Criteria) > 0 {
		t.Errorf("the reference strips a member of its rubric: %+v", out)
	}
}

func TestGraders(t *testing.T) {
	if g := grade.Graders(&rubric.Case{}); len(g) != 1 || g[0].Kind != rubric.LLMJudge {
		t.Errorf("a case without graders is graded by %v", g)
	}
	if g := grade.Graders(&rubric.Case{Fallback: rubric.CodeJudge}); g[0].Kind != rubric.CodeJudge {
		t.Errorf("the fallback is %v", g)
	}
	out := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, &rubric.Grader{Kind: "telepathy"}, grade.Submission{})
	if out.Result.Verdict != score.Fail || !strings.Contains(out.Result.Ungraded, "telepathy") {
		t.Errorf("%+v", out.Result)
	}
}
