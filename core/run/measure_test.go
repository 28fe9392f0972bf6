package run_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestMeasures: what a run knows of a target reaches the graders that limit it, and the record.
func TestMeasures(t *testing.T) {
	messages := []rubric.Message{
		{Role: "assistant", ToolCalls: []any{map[string]any{"tool": "search"}}}, {Role: "tool", Content: "x"}, {Role: "assistant", Content: "Hi"},
	}
	answers := func(sub grade.Submission) run.Target {
		return func(context.Context, *rubric.Case) (grade.Submission, error) { return sub, nil }
	}
	number := func(n float64) *float64 { return &n }
	limit := func(kind rubric.Kind, limits rubric.Limits) *rubric.Grader {
		return &rubric.Grader{Name: "limit", Kind: kind, Weight: 1, Limits: &limits}
	}
	latency := limit(rubric.Latency, rubric.Limits{DurationMS: number(1.5)})
	noCalls := limit(rubric.ExecutionMetrics, rubric.Limits{ToolCalls: number(0)})
	twoModelCalls := limit(rubric.ExecutionMetrics, rubric.Limits{LLMCalls: number(2)})
	search := &rubric.Grader{Name: "limit", Kind: rubric.ToolTrajectory, Weight: 1, Steps: &rubric.Trajectory{Mode: "any_order", Minimums: []rubric.Minimum{{Tool: "search", Count: 0}}}}
	for _, c := range []struct {
		name    string
		target  run.Target
		grader  *rubric.Grader
		profile score.Profile
		want    score.Verdict
		summary string
	}{
		{"a text", answers(grade.Submission{Answer: "Hi"}), latency, score.Spec, score.Pass, `{"duration_ms":1.5}`},
		{"the target's own time", answers(grade.Submission{Answer: "Hi", Trace: &grade.Trace{DurationMS: number(9)}}), latency, score.Spec, score.Fail, `{"duration_ms":9}`},
		{"the file's own answer", run.SelfTarget, latency, score.Spec, score.Ungraded, "null"},
		{"a recording", run.Recording{"a": {Submission: grade.Submission{Answer: "Hi"}}}.Respond, latency, score.Spec, score.Ungraded, "null"},
		{"a recorded time", run.Recording{"a": {Submission: grade.Submission{Answer: "Hi", Trace: &grade.Trace{DurationMS: number(1)}}}}.Respond, latency, score.Spec, score.Pass, `{"duration_ms":1}`},
		{"tool calls of a text", answers(grade.Submission{Answer: "Hi"}), noCalls, score.Spec, score.Ungraded, `{"duration_ms":1.5}`},
		{"tool calls of a text, by release 4", answers(grade.Submission{Answer: "Hi"}), noCalls, score.AgentV4, score.Pass, `{"event_count":0,"duration_ms":1.5,"llm_calls":1}`},
		{"tool calls of a recorded text, by release 4", run.Recording{"a": {Submission: grade.Submission{Answer: "Hi"}}}.Respond, noCalls, score.AgentV4, score.Fail, "null"},
		{"tool calls of a model", answers(grade.Submission{Answer: "Hi", Trace: &grade.Trace{EventCount: new(int)}}), noCalls, score.Spec, score.Pass, `{"event_count":0,"duration_ms":1.5}`},
		{"no call of a tool by a model", answers(grade.Submission{Answer: "Hi", Trace: &grade.Trace{EventCount: new(int)}}), search, score.Spec, score.Pass, `{"event_count":0}`},
		{"messages with calls", answers(grade.Submission{Answer: "Hi", Messages: messages}), noCalls, score.Spec, score.Fail, `{"event_count":1,"tool_calls_by_name":{"search":1},"duration_ms":1.5,"llm_calls":2}`},
		{"messages without calls", answers(grade.Submission{Answer: "Hi", Messages: messages[2:]}), noCalls, score.Spec, score.Pass, `{"event_count":0,"duration_ms":1.5,"llm_calls":1}`},
		{"model calls in messages", answers(grade.Submission{Answer: "Hi", Messages: messages}), twoModelCalls, score.Spec, score.Pass, `{"event_count":1,"tool_calls_by_name":{"search":1},"duration_ms":1.5,"llm_calls":2}`},
		{"model calls of the file's own answer", run.SelfTarget, twoModelCalls, score.Spec, score.Ungraded, "null"},
	} {
		at := time.Unix(0, 0)
		clock := func() time.Time { at = at.Add(1500 * time.Microsecond); return at }
		s := &rubric.Suite{Cases: []*rubric.Case{{ID: "a", ReferenceAnswer: "Hi", Expected: messages[2:], Graders: []*rubric.Grader{c.grader}}}}
		r := run.Runner{Target: c.target, Clock: clock, Profile: c.profile}
		rec := r.RunCase(t.Context(), s, s.Cases[0], func(*run.GraderRecord) {})
		summary, err := json.Marshal(rec.TraceSummary)
		if err != nil || rec.Verdict != c.want || string(summary) != c.summary {
			t.Errorf("%s: %s %q, %s", c.name, rec.Verdict, rec.Reasons, summary)
		}
		if c.want == score.Ungraded && !strings.Contains(rec.Reasons[0], " not known: ") {
			t.Errorf("%s: %q", c.name, rec.Reasons)
		}
		r.Earlier = func(*rubric.Case) *run.Record { return rec }
		if again := r.RunCase(t.Context(), s, s.Cases[0], func(*run.GraderRecord) {}); again.Verdict != rec.Verdict {
			t.Errorf("%s, continued: %s %q", c.name, again.Verdict, again.Reasons)
		}
	}
}
