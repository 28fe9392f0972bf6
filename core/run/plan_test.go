package run_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestPlan plans two runs of the same cases: one by the file's own answers, and one by a target that
// must not be asked.
func TestPlan(t *testing.T) {
	rubricOf := func(id string) []*rubric.Grader {
		return []*rubric.Grader{{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{{ID: id, Text: "Says hi", Weight: 1}}}}
	}
	suite := &rubric.Suite{Name: "s", Cases: []*rubric.Case{
		{ID: "a", Question: "Hello", ReferenceAnswer: "Hi", Graders: rubricOf("a")},
		{ID: "b", Question: "Hello", Graders: rubricOf("b")},
	}}
	plan := &run.Plan{}
	host := run.Host{
		Plan: plan,
		OpenTarget: func(context.Context, string, string) (run.OpenedTarget, error) {
			asked := func(context.Context, *rubric.Case) (grade.Submission, error) {
				t.Error("the target was asked")
				return grade.Submission{}, nil
			}
			return run.OpenedTarget{Target: asked, Name: "mine", Access: run.Access{Command: "agent"}}, nil
		},
		OpenJudge: func(context.Context, string, string) (run.OpenedJudge, error) {
			rate := &run.Rate{Rate: price.Rate{Input: 1, Output: 2}, File: "prices.yaml"}
			return run.OpenedJudge{Judge: plan.Judge(rate), Access: run.Access{Host: "example.com", Key: "KEY"}}, nil
		},
	}
	for _, options := range [][]string{{"judge=m"}, {"judge=m", "target=mine"}} {
		r, err := run.Open(t.Context(), host, setOptions(t, options...), run.File{Suite: suite})
		if err != nil {
			t.Fatal(err)
		}
		plan.AddCases(t.Context(), r, slices.Values(suite.Cases), len(suite.Cases))
		r.Close()
	}
	plan.AddCached()
	if plan.Cases != 4 || plan.TargetCalls != 2 || plan.JudgeCalls != 3 || plan.Cached != 1 || plan.Unpriced != 0 || plan.Cost[0] <= 0 || plan.Cost[1] <= plan.Cost[0] {
		t.Errorf("%+v", plan)
	}
	if want := []run.NotRun{{Case: "b", Reason: "the target gave no answer: the case `b` has no expected output to answer with"}}; plan.Ungraded != 1 || !reflect.DeepEqual(plan.NotRun, want) {
		t.Errorf("%+v", plan.NotRun)
	}
	contacts := []run.PlannedContact{
		{Role: "judge", Name: "m", Access: run.Access{Host: "example.com", Key: "KEY"}}, {Role: "target", Name: "mine", Access: run.Access{Command: "agent"}},
	}
	if !reflect.DeepEqual(plan.Contacts, contacts) || !slices.Equal(plan.PriceFiles, []string{"prices.yaml"}) {
		t.Errorf("%+v %v", plan.Contacts, plan.PriceFiles)
	}
}

// TestPlanContacts: whoever is asked is listed once, and cases that are not asked are counted.
func TestPlanContacts(t *testing.T) {
	plan := &run.Plan{}
	command := "agent"
	host := run.Host{
		Plan: plan,
		OpenTarget: func(_ context.Context, _, name string) (run.OpenedTarget, error) {
			return run.OpenedTarget{Name: name, Access: run.Access{Command: command}}, nil
		},
		OpenJudge: func(_ context.Context, _, name string) (run.OpenedJudge, error) {
			return run.OpenedJudge{Judge: plan.Judge(&run.Rate{}), Access: run.Access{Command: command}}, nil
		},
	}
	open := func(options ...string) *run.Run {
		r, err := run.Open(t.Context(), host, setOptions(t, options...), run.File{Suite: &rubric.Suite{}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, step := range []struct {
		options []string
		access  string
		want    int
	}{
		{nil, "agent", 0}, {[]string{"target=m", "judge=m"}, "agent", 2}, {[]string{"target=m", "judge=m"}, "agent", 2}, {[]string{"judge=n"}, "agent", 3}, {[]string{"judge=n"}, "other", 4},
	} {
		command = step.access
		if open(step.options...); len(plan.Contacts) != step.want {
			t.Errorf("%q: %+v", step.options, plan.Contacts)
		}
	}
	var cases []*rubric.Case
	for i := range 6 {
		c := &rubric.Case{ID: string(rune('a' + i)), ReferenceAnswer: "Hi"}
		c.Graders = []*rubric.Grader{{Name: "free", Kind: rubric.LLMJudge, Weight: 1}}
		cases = append(cases, c)
	}
	plan.AddCases(t.Context(), open("judge=m"), slices.Values(cases), len(cases))
	if plan.Cases != 6 || plan.TargetCalls != 0 || plan.Ungraded != 0 || plan.JudgeCalls != 6 || plan.Input[0] <= 0 || plan.Input[1] < plan.Input[0] || plan.Output[0] <= 0 || plan.Output[1] < plan.Output[0] {
		t.Errorf("%+v", plan)
	}
	for _, c := range cases {
		c.ReferenceAnswer = ""
	}
	plan.AddCases(t.Context(), open("judge=m"), slices.Values(cases), len(cases))
	if plan.Cases != 12 || plan.Ungraded != 6 || len(plan.NotRun) != 5 {
		t.Errorf("%d cases, %d ungraded, %d named", plan.Cases, plan.Ungraded, len(plan.NotRun))
	}
}

// TestPreviewRun: a preview counts the questions of a plan, cached ones too, and says what is not graded.
func TestPreviewRun(t *testing.T) {
	plan := &run.Plan{}
	host := run.Host{Plan: plan}
	cases := []*rubric.Case{{ID: "a", ReferenceAnswer: "Hi"}, {ID: "b"}}
	r, err := run.Open(t.Context(), host, setOptions(t, "judge=m"), run.File{Suite: &rubric.Suite{Cases: cases}})
	if err != nil {
		t.Fatal(err)
	}
	plan.AddCached()
	plan.AddCached()
	var p run.Preview
	if p.AddRun(t.Context(), plan, r, cases); p.Questions != 3 || p.Cached != 2 || p.Judge != "m" || !slices.Equal(p.Notes, []string{"`b` is not graded: the target gave no answer: the case `b` has no expected output to answer with"}) {
		t.Errorf("%+v", p)
	}
}

// TestPlanTurns: each turn of a conversation is a call of the target.
func TestPlanTurns(t *testing.T) {
	plan := &run.Plan{}
	host := run.Host{Plan: plan, OpenTarget: func(_ context.Context, _, name string) (run.OpenedTarget, error) {
		return run.OpenedTarget{Name: name, Access: run.Access{Command: "agent"}}, nil
	}}
	suite := &rubric.Suite{Cases: []*rubric.Case{{ID: "a"}, {ID: "b"}}}
	r, err := run.Open(t.Context(), host, setOptions(t, "target=mine", "judge=m"), run.File{Suite: suite, Conversations: &run.Conversations{
		AsksAgent: true,
		Measure: func(metric.Ports, int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
			return func(_ context.Context, c *rubric.Case) (r metric.CaseResult, err error) {
				if c.ID == "a" {
					r.Recorded = &metric.Recorded{Invocations: make([]json.RawMessage, 3)}
				}
				return r, nil
			}
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if plan.AddCases(t.Context(), r, slices.Values(suite.Cases), 2); plan.TargetCalls != 4 {
		t.Errorf("%d calls, want 3 and 1", plan.TargetCalls)
	}
}

// TestPlanWithoutHost checks that a plan needs no functions of a host, and counts what metrics ask.
func TestPlanWithoutHost(t *testing.T) {
	plan := &run.Plan{}
	metrics := []metric.Criterion{{Metric: metric.Safety}, {Metric: metric.Safety}, {Metric: metric.FinalResponseMatch}}
	var ports metric.Ports
	r, err := run.Open(t.Context(), run.Host{Plan: plan}, setOptions(t, "target=any", "judge=any", "moderation=openai"), run.File{Suite: &rubric.Suite{}, Conversations: &run.Conversations{
		Metrics: metrics, Measure: func(p metric.Ports, _ int) func(context.Context, *rubric.Case) (metric.CaseResult, error) {
			ports = p
			return nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ports.Moderate(t.Context(), "text"); err != nil || plan.JudgeCalls != 1 || plan.Unpriced != 1 {
		t.Errorf("%+v, %v", plan, err)
	}
	if want := []run.MetricCalls{
		{Metric: metric.Safety, Questions: "1 question for each turn, to the moderation endpoint"}, {Metric: metric.FinalResponseMatch, Questions: "5 questions for each turn"},
	}; !reflect.DeepEqual(plan.Metrics, want) || r.JudgeName != "any" {
		t.Errorf("%+v", plan.Metrics)
	}
}
