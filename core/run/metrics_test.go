package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

func scored(value float64) *float64 { return &value }

// TestMeasure: a case passes if all its metrics do. ADK ignores a metric that was not evaluated;
// here it counts.
func TestMeasure(t *testing.T) {
	passed := metric.Result{Metric: "a", Threshold: 0.5, Score: scored(0.9), Status: metric.Passed}
	failed := metric.Result{Metric: "b", Threshold: 0.8, Score: scored(0.5), Status: metric.Failed}
	open := metric.Result{Metric: "c", Status: metric.NotEvaluated, Reason: "so"}
	away := metric.Result{Metric: "d", Status: metric.NotEvaluated, Reason: "gone", Err: fmt.Errorf("x: %w", judge.ErrUnreachable)}
	partial := passed
	partial.Metric, partial.Err = "e", errors.New("turn 2: gone")
	for _, c := range []struct {
		name        string
		metrics     []metric.Result
		err         error
		verdict     score.Verdict
		score       float64
		ungraded    int
		reasons     string
		unreachable bool
	}{
		{"all pass", []metric.Result{passed, passed}, nil, score.Pass, 0.9, 0, "", false},
		{"one fails", []metric.Result{passed, failed}, nil, score.Fail, 0.7, 0, "`b` is 0.5, below 0.8", false},
		{"one is not evaluated", []metric.Result{passed, open}, nil, score.Ungraded, none, 1, "`c` was not evaluated: so", false},
		{"one is not evaluated, one fails", []metric.Result{failed, open}, nil, score.Fail, 0.5, 1, "`b` is 0.5, below 0.8; `c` was not evaluated: so", false},
		{"a turn has no verdict", []metric.Result{passed, partial}, nil, score.Ungraded, none, 1, "`e` was not evaluated in full: turn 2: gone", false},
		{"the judge is away", []metric.Result{away}, nil, score.Ungraded, none, 1, "`d` was not evaluated: gone", true},
		{"nothing is asked for", nil, nil, score.Ungraded, none, 1, "no metric is configured", false},
		{"nothing was recorded", nil, errors.New("not recorded"), score.Ungraded, none, 1, "not recorded", false},
	} {
		suite := &rubric.Suite{Cases: []*rubric.Case{{ID: "x"}}}
		r := run.Runner{Measure: func(context.Context, *rubric.Case) (metric.CaseResult, error) {
			return metric.CaseResult{Metrics: c.metrics, Answer: "said"}, c.err
		}, Profile: run.MetricProfile(metric.Latest)}
		for e := range r.Run(t.Context(), suite, nil) {
			if e.Stage != run.Done {
				continue
			}
			rec := *e.Record
			if rec.Verdict != c.verdict || value(rec) != c.score || rec.Ungraded != c.ungraded || strings.Join(rec.Reasons, "; ") != c.reasons || rec.Unreachable != c.unreachable {
				t.Errorf("%s: %+v", c.name, rec)
			}
			if again := run.Rescore(rec, score.AgentV); len(c.metrics) > 0 && (value(again) != value(rec) || again.Profile != "adk-latest") {
				t.Errorf("%s: scored again it is %+v", c.name, again)
			}
		}
	}
}

// TestTurns: rubrics and claims of a turn are criteria, each with its grade.
func TestTurns(t *testing.T) {
	quote := "999"
	turns := run.TurnRecords(metric.Result{Invocations: []metric.InvocationResult{
		{Score: scored(0.5), Status: metric.Failed, Rubrics: []metric.RubricScore{{ID: "p", Score: scored(1), Rationale: "yes"}, {ID: "q"}}},
		{Status: metric.NotEvaluated, Reason: "no text", Steps: []metric.Step{{Claims: []metric.Claim{
			{Sentence: "It costs 899.", Label: "contradictory", Rationale: "no", Contradicting: &quote}, {Sentence: "Free.", Label: "maybe"}}}}},
	}})
	if len(turns) != 2 || turns[0].Name != "turn 1" || turns[0].Verdict != score.Fail || turns[1].Ungraded != "no text" {
		t.Fatalf("%+v", turns)
	}
	var text []string
	for _, turn := range turns {
		for i, g := range turn.Grades {
			text = append(text, fmt.Sprintf("%s %v %s %s", turn.Criteria[i].Text, g.Satisfied != nil && *g.Satisfied, g.Ungraded, g.Reasoning))
		}
	}
	want := "p true  yes\nq false the judge answered neither yes nor no \nIt costs 899. false  contradictory: no; contradicted by \"999\"\nFree. false the judge answered neither yes nor no maybe: "
	if got := strings.Join(text, "\n"); got != want {
		t.Errorf("%s\nis not\n%s", got, want)
	}
}

// TestMeasuredSpent: usage includes the judge's replies on turns.
func TestMeasuredSpent(t *testing.T) {
	replies := []judge.Reply{{Model: "m", Usage: judge.Usage{Input: 10, Output: 2}}, {Model: "m", Usage: judge.Usage{Input: 5, Output: 1}}}
	rec := run.Record{Graders: []run.GraderRecord{{Metric: &metric.Result{Invocations: []metric.InvocationResult{{Replies: replies}, {Replies: replies}}}}}}
	if s := rec.JudgeUsage(); s.Calls != 4 || s.Input != 30 || s.Output != 6 {
		t.Errorf("%+v", s)
	}
}

// none stands for the score of an ungraded record.
const none = -1

func value(r run.Record) float64 {
	if r.Score == nil {
		return none
	}
	return *r.Score
}

// TestReuseConversation: the conversation of an earlier run is measured again, if it was held to its
// end, and no agent is asked. The record has what the agent took.
func TestReuseConversation(t *testing.T) {
	held := &metric.Recorded{Calls: 2, Usage: judge.Usage{Input: 5, Output: 7}}
	var measured string
	cs := &run.Conversations{
		Measure: func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
			return func(_ context.Context, c *rubric.Case) (metric.CaseResult, error) {
				measured = c.ID
				if c.ID == "silent" {
					return metric.CaseResult{Recorded: &metric.Recorded{}}, nil
				}
				return metric.CaseResult{Recorded: held}, nil
			}
		},
		Reuse: func(c *rubric.Case, r *metric.Recorded) *rubric.Case {
			return &rubric.Case{ID: fmt.Sprint(c.ID, " with ", r.Calls, " calls")}
		},
	}
	for _, c := range []struct {
		id      string
		reuse   bool
		earlier *run.Record
		want    string
	}{
		{"a", true, &run.Record{Recorded: held}, "a with 2 calls"},
		{"a", true, nil, "a"},
		{"a", true, &run.Record{}, "a"},
		{"a", true, &run.Record{Recorded: held, Error: "stopped"}, "a"},
		{"a", false, &run.Record{Recorded: held}, "a"},
		{"silent", true, nil, "silent"},
	} {
		set := *cs
		if !c.reuse {
			set.Reuse = nil
		}
		opened, err := run.Open(t.Context(), run.Host{}, run.DefaultSettings(), run.File{Conversations: &set})
		if err != nil {
			t.Fatal(err)
		}
		opened.Earlier = func(*rubric.Case) *run.Record { return c.earlier }
		rec := opened.RunCase(t.Context(), &rubric.Suite{}, &rubric.Case{ID: c.id}, func(*run.GraderRecord) {})
		opened.Close()
		if trace := rec.TraceSummary; measured != c.want || (trace == nil) != (c.id == "silent") || trace != nil && (*trace.LLMCalls != 2 || trace.TokenUsage.Input != 5 || trace.TokenUsage.Output != 7) {
			t.Errorf("%+v: measured %q, %+v", c, measured, trace)
		}
		if c.earlier != nil && opened.CanReuseAnswer(c.earlier, &rubric.Case{}) != strings.Contains(c.want, "with") {
			t.Errorf("%+v: the answer suffices, or does not, unlike the conversation", c)
		}
	}
}
