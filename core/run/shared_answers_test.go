package run_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// TestSharedAnswers: the second of two runs grades the answers, and the failures, of the first, whatever
// the order in which workers ask for them. Only the first pays.
func TestSharedAnswers(t *testing.T) {
	suite := &rubric.Suite{}
	for i := range 20 {
		suite.Cases = append(suite.Cases, &rubric.Case{ID: fmt.Sprint(i), Question: "Q"})
	}
	var asked atomic.Int64
	target := func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
		n := asked.Add(1)
		if c.ID == "7" {
			return grade.Submission{}, errors.New("no answer")
		}
		return grade.Submission{Answer: fmt.Sprintf("%s, asked as number %d", c.ID, n), Trace: &grade.Trace{CostUSD: new(0.5)}}, nil
	}
	var answers run.SharedAnswers
	records := func() (all []*run.Record) {
		r := &run.Run{Runner: run.Runner{Target: target, Judge: offline.Judge{}, Workers: 4, Trials: 2}}
		answers.Share(r)
		for e := range r.Run(t.Context(), suite, nil) {
			if e.Stage == run.Done {
				all = append(all, e.Record)
			}
		}
		return all
	}
	first, second := records(), records()
	if asked.Load() != 40 || len(first) != 20 || len(second) != 20 {
		t.Fatalf("asked %d times for %d and %d records", asked.Load(), len(first), len(second))
	}
	for i, rec := range first {
		other := second[i]
		for n, trial := range rec.Trials.Runs {
			if shared := other.Trials.Runs[n]; shared.CandidateAnswer != trial.CandidateAnswer || shared.Error != trial.Error {
				t.Errorf("%s: %+v, and then %+v", rec.EvalID, trial, shared)
			}
		}
		paid, shared := rec.TargetUsage(), other.TargetUsage()
		if rec.EvalID == "7" {
			continue
		}
		if paid.Cost != 1 || paid.Calls != 2 || shared.Cost != 0 || shared.Cached != 2 || !other.SharedAnswer || rec.SharedAnswer {
			t.Errorf("%s: used %+v, and then %+v", rec.EvalID, paid, shared)
		}
	}
}

// TestSharedRecords: a run takes the answer of a record, if the record holds all that is graded.
func TestSharedRecords(t *testing.T) {
	look := []*rubric.Grader{{Name: "look", Kind: rubric.Deterministic, Weight: 1, Assert: &rubric.Assertion{Type: rubric.Contains, Value: "x"}}}
	calls := []*rubric.Grader{{Name: "calls", Kind: rubric.ToolTrajectory, Weight: 1, Steps: &rubric.Trajectory{}}}
	for name, c := range map[string]struct {
		kase rubric.Case
		rec  run.Record
		want string
	}{
		"an answer":    {rubric.Case{Graders: look}, run.Record{CandidateAnswer: "old"}, "old"},
		"an error":     {rubric.Case{Graders: look}, run.Record{CandidateAnswer: "old", Error: "x"}, "new"},
		"trials":       {rubric.Case{Graders: look}, run.Record{CandidateAnswer: "old", Trials: &run.Trials{}}, "new"},
		"metrics":      {rubric.Case{Graders: look}, run.Record{CandidateAnswer: "old", Graders: []run.GraderRecord{{Metric: &metric.Result{}}}}, "new"},
		"calls":        {rubric.Case{Graders: calls}, run.Record{CandidateAnswer: "old"}, "new"},
		"turn by turn": {rubric.Case{Graders: look, Conversation: &rubric.Conversation{}}, run.Record{CandidateAnswer: "old"}, "new"},
	} {
		var answers run.SharedAnswers
		r := &run.Run{Runner: run.Runner{Target: run.MockTarget("new")}}
		answers.AddRecord(r.Runner, &c.kase, &c.rec)
		again := c.rec
		again.CandidateAnswer = "older"
		answers.AddRecord(r.Runner, &c.kase, &again)
		answers.Share(r)
		if sub, err := r.Target(t.Context(), &c.kase); sub.Answer != c.want || err != nil {
			t.Errorf("%s: %q %v, want %q", name, sub.Answer, err, c.want)
		}
		if sub, _ := r.Target(t.Context(), &c.kase); sub.Answer != "new" {
			t.Errorf("%s: a second trial has the answer %q", name, sub.Answer)
		}
	}
}
