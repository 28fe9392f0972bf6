package run_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
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
