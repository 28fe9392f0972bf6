package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// suite has n cases, each with a rubric that wants the words "refund" and
// "label", and a limit on cost.
func suite(n int) *rubric.Suite {
	s := &rubric.Suite{Dialect: "agentv", Name: "shop", Targets: []string{"prod"}}
	budget := 1.0
	for i := range n {
		s.Cases = append(s.Cases, &rubric.Case{
			ID: fmt.Sprintf("case-%d", i), Question: "Broken?", ExpectedOutcome: "Offers a refund", ReferenceAnswer: "We refund and send a label.",
			Graders: []*rubric.Grader{
				{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
					{ID: "refund", Text: "Offers a refund", Weight: 2}, {ID: "label", Text: "Sends a label", Weight: 1, Required: new(bool)},
				}},
				{Name: "cheap", Kind: rubric.Cost, Weight: 0, Limits: &rubric.Limits{CostUSD: &budget}},
			},
		})
	}
	return s
}

// answer is a target that says this at no cost.
func answer(text string) run.Target {
	return func(context.Context, *rubric.Case) (grade.Submission, error) {
		return grade.Submission{Answer: text, Trace: &grade.Trace{CostUSD: new(float64)}}, nil
	}
}

// reader is a judge that finds what it is asked for when its id is in the
// submission.
var reader = judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
	type check struct {
		ID        string `json:"id"`
		Satisfied bool   `json:"satisfied"`
		Reasoning string `json:"reasoning"`
	}
	reply := struct {
		Checks  []check `json:"checks"`
		Overall string  `json:"overall_reasoning"`
	}{Overall: "read"}
	for _, i := range q.Brief.Items {
		reply.Checks = append(reply.Checks, check{i.ID, strings.Contains(q.Brief.Submission, i.ID), "looked"})
	}
	text, err := json.Marshal(reply)
	return judge.Answer{Text: string(text), Model: "reader", Usage: judge.Usage{Input: 3}}, err
})

func records(ctx context.Context, r run.Runner, s *rubric.Suite, keep func(*rubric.Case) bool) (all []run.Record) {
	for e := range r.Run(ctx, s, keep) {
		if e.Stage == run.Done {
			all = append(all, *e.Record)
		}
	}
	return all
}

// one runs a suite's first case.
func one(t *testing.T, r run.Runner, s *rubric.Suite) run.Record {
	t.Helper()
	s.Cases = s.Cases[:1]
	all := records(t.Context(), r, s, nil)
	if len(all) != 1 {
		t.Fatalf("%d records of one case", len(all))
	}
	return all[0]
}

func ids(all []run.Record) (out []string) {
	for _, r := range all {
		out = append(out, r.EvalID)
	}
	return out
}

func caseIDs(s *rubric.Suite) (out []string) {
	for _, c := range s.Cases {
		out = append(out, c.ID)
	}
	return out
}

// TestEvents: a case starts, is graded by each of its graders in order and is done, with any
// number of workers. Records come in the suite's order.
func TestEvents(t *testing.T) {
	s := suite(60)
	for _, workers := range []int{0, 1, 7, 100} {
		seen := map[string][]string{}
		var done []string
		r := run.Runner{Target: answer("refund"), Judge: reader, Workers: workers}
		for e := range r.Run(t.Context(), s, nil) {
			step := string(e.Stage)
			switch e.Stage {
			case run.Graded:
				step += " " + e.Grader.Name
			case run.Done:
				done = append(done, e.Record.EvalID)
			}
			if (e.Grader != nil) != (e.Stage == run.Graded) || (e.Record != nil) != (e.Stage == run.Done) || e.Total != 60 || s.Cases[e.Index] != e.Case {
				t.Fatalf("%d workers: %+v", workers, e)
			}
			seen[e.Case.ID] = append(seen[e.Case.ID], step)
		}
		if !slices.Equal(done, caseIDs(s)) {
			t.Errorf("%d workers: records come as %v", workers, done)
		}
		for id, steps := range seen {
			if !slices.Equal(steps, []string{"started", "graded rubric", "graded cheap", "done"}) {
				t.Errorf("%d workers: %s went through %q", workers, id, steps)
			}
		}
	}
	for range (run.Runner{}).Run(t.Context(), &rubric.Suite{}, nil) {
		t.Error("an empty suite has events")
	}
}

// TestSlowCase: while one case hangs, others go on, but not so many that their
// records pile up.
func TestSlowCase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := suite(60)
		slow := make(chan struct{})
		var started atomic.Int32
		target := func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
			started.Add(1)
			if c.ID == "case-0" {
				<-slow
			}
			return answer("refund, label")(ctx, c)
		}
		all := make(chan []run.Record)
		go func() {
			all <- records(t.Context(), run.Runner{Target: target, Judge: reader, Workers: 3}, s, nil)
		}()
		synctest.Wait()
		if n := started.Load(); n != 12 {
			t.Errorf("%d cases have started behind a slow one, want four for each worker", n)
		}
		close(slow)
		if got := <-all; !slices.Equal(ids(got), caseIDs(s)) {
			t.Errorf("records come as %v", ids(got))
		}
	})
}

// TestCancel: no further case starts, unfinished cases give the reason, and finished records
// stay.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		target := func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
			if c.ID >= "case-3" {
				<-ctx.Done()
				return grade.Submission{}, ctx.Err()
			}
			return answer("refund, label")(ctx, c)
		}
		all := make(chan []run.Record)
		go func() {
			all <- records(ctx, run.Runner{Target: target, Judge: reader, Workers: 2}, suite(9), nil)
		}()
		synctest.Wait()
		cancel(errors.New("interrupted"))
		got := <-all
		if !slices.Equal(ids(got), []string{"case-0", "case-1", "case-2", "case-3", "case-4"}) {
			t.Fatalf("records of %v", ids(got))
		}
		for i, r := range got {
			stopped := i >= 3
			if (r.Error == "the run was stopped: interrupted") != stopped || (r.Verdict == score.Pass) == stopped || (r.Ungraded > 0) != stopped || r.Unreachable {
				t.Errorf("%+v", r)
			}
		}
	})
}

// TestCancelWhileGrading keeps the answer and what was graded of it.
func TestCancelWhileGrading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stops := judge.Func(func(ctx context.Context, _ judge.Question) (judge.Answer, error) {
		cancel()
		return judge.Answer{}, ctx.Err()
	})
	got := records(ctx, run.Runner{Target: answer("refund"), Judge: stops}, suite(3), nil)
	if r := got[0]; r.CandidateAnswer != "refund" || len(r.Graders) != 2 || r.Verdict != score.Ungraded || !strings.HasPrefix(r.Error, "the run was stopped") || r.Ungraded == 0 {
		t.Errorf("%+v", r)
	}
	if len(got) > 2 {
		t.Errorf("cases are started after the end: %v", ids(got))
	}
}

// TestConsumerMayLeave: leaving the loop ends the run and all its workers.
func TestConsumerMayLeave(t *testing.T) {
	for _, stage := range []run.Stage{run.Started, run.Graded, run.Done} {
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int32
			target := func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
				started.Add(1)
				return answer("refund")(ctx, c)
			}
			for e := range (run.Runner{Target: target, Judge: reader, Workers: 4}).Run(t.Context(), suite(500), nil) {
				if e.Stage == stage {
					break
				}
			}
			n := started.Load()
			synctest.Wait()
			const most = 4*4 + 1 // four for each worker, and the one whose record is delivered
			if started.Load() != n || n > most {
				t.Errorf("left when a case is %s: %d cases, later %d", stage, n, started.Load())
			}
		})
	}
}

func TestOnly(t *testing.T) {
	s := suite(12)
	s.Cases = append(s.Cases, &rubric.Case{ID: "[odd]"}, &rubric.Case{ID: "group/case"})
	for _, c := range []struct {
		patterns []string
		want     int
	}{
		{nil, 14}, {[]string{"case-1"}, 1}, {[]string{"case-1*"}, 3}, {[]string{"case-?"}, 10}, {[]string{"nobody"}, 0},
		{[]string{"case-1", "case-2", "case-2"}, 2}, {[]string{"*"}, 13}, {[]string{"*/*"}, 1}, {[]string{"[odd]"}, 1}, {[]string{"["}, 0}, {[]string{""}, 0},
	} {
		if got := records(t.Context(), run.Runner{Target: run.MockTarget("refund"), Judge: reader}, s, run.MatchIDs(c.patterns...)); len(got) != c.want {
			t.Errorf("%q keeps %v", c.patterns, ids(got))
		}
	}
}

// TestEqualRuns: without a clock a run depends on its input alone.
func TestEqualRuns(t *testing.T) {
	lines := func(r run.Runner) string {
		r.Target, r.Judge = answer("refund"), reader
		var out strings.Builder
		for _, rec := range records(t.Context(), r, suite(20), nil) {
			line, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
		return out.String()
	}
	if a, b := lines(run.Runner{}), lines(run.Runner{Workers: 7}); a != b {
		t.Error("two equal runs differ")
	}
	at := time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.FixedZone("", 3600))
	tick := func() time.Time { at = at.Add(1500 * time.Microsecond); return at }
	rec := one(t, run.Runner{Target: answer("refund"), Judge: reader, Clock: tick}, suite(1))
	if rec.Timestamp != "2026-03-14T14:09:26.536Z" || *rec.DurationMS != 1.5 {
		t.Errorf("stamped %s, took %v ms", rec.Timestamp, *rec.DurationMS)
	}
	failed := one(t, run.Runner{Clock: tick}, suite(1))
	if failed.Timestamp == "" || failed.DurationMS == nil || failed.Error == "" {
		t.Errorf("what fails has its times: %+v", failed)
	}
}

// TestFinite: a case with a number that is not finite is ungraded, and its target is not asked. The
// reference's profiles calculate with such numbers of graders. The record can be encoded.
func TestFinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	with := func(change func(*rubric.Case, *rubric.Grader, *rubric.Criterion)) *rubric.Case {
		k := &rubric.Criterion{ID: "x", Text: "Greets", Weight: 1}
		g := &rubric.Grader{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{k}}
		c := &rubric.Case{ID: "a", Graders: []*rubric.Grader{g}}
		change(c, g, k)
		return c
	}
	for name, c := range map[string]*rubric.Case{
		"a weight":             with(func(_ *rubric.Case, _ *rubric.Grader, k *rubric.Criterion) { k.Weight = inf }),
		"a weight of a grader": with(func(_ *rubric.Case, g *rubric.Grader, _ *rubric.Criterion) { g.Weight = nan }),
		"a minimum":            with(func(_ *rubric.Case, _ *rubric.Grader, k *rubric.Criterion) { k.MinScore = &nan }),
		"a band":               with(func(_ *rubric.Case, _ *rubric.Grader, k *rubric.Criterion) { k.Bands = []rubric.Band{{Hi: inf}} }),
		"a threshold":          with(func(c *rubric.Case, _ *rubric.Grader, _ *rubric.Criterion) { c.Threshold = &inf }),
		"what is asked": with(func(c *rubric.Case, _ *rubric.Grader, _ *rubric.Criterion) {
			c.Input = []rubric.Message{{Content: inf}}
		}),
	} {
		for _, profile := range []score.Profile{score.Spec, "agentv", "agentv-4", "agentv-head"} {
			asked := false
			r := run.Runner{Profile: profile, Judge: reader, Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
				asked = true
				return grade.Submission{}, nil
			}}
			rec := r.RunCase(context.Background(), &rubric.Suite{}, c, func(*run.GraderRecord) {})
			calculates := profile.IsReference() && c.Threshold == nil && c.Input == nil
			failed := strings.Contains(rec.Error, "infinite or NaN") && rec.Ungraded == 1
			if asked == failed || failed == calculates || rec.Verdict == score.Pass && failed {
				t.Errorf("%s, %s: asked %t, %+v", name, profile, asked, rec)
			}
			if _, err := json.Marshal(rec); err != nil {
				t.Errorf("%s, %s: %v", name, profile, err)
			}
		}
	}
}

// TestThreshold: a record holds the score from which its case passes, and is scored again with
// it.
func TestThreshold(t *testing.T) {
	least := 0.5
	look := func(word string) *rubric.Grader {
		return &rubric.Grader{
			Name: word, Kind: rubric.Deterministic, Weight: 1, Assert: &rubric.Assertion{Type: rubric.Contains, Value: word},
		}
	}
	suite := &rubric.Suite{Cases: []*rubric.Case{
		{ID: "half", ReferenceAnswer: "yes", Threshold: &least, Graders: []*rubric.Grader{look("yes"), look("no")}},
	}}
	for e := range (run.Runner{Target: run.SelfTarget, Profile: score.AgentVHead}).Run(t.Context(), suite, nil) {
		if e.Record == nil {
			continue
		}
		if r := e.Record; *r.Score != 0.5 || r.Verdict != score.Pass || r.Threshold == nil || *r.Threshold != least || r.Status != "ok" {
			t.Errorf("%+v", r)
		}
		for profile, want := range map[score.Profile]score.Verdict{score.Spec: score.Pass, score.AgentV4: score.Pass, score.AgentV: score.Fail} {
			if again := run.Rescore(*e.Record, profile); again.Verdict != want {
				t.Errorf("%s: %s, want %s", profile, again.Verdict, want)
			}
		}
	}
}
