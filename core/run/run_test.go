package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// suite has n cases that want "refund" and "label", of which the first also
// has a limit on time.
func suite(n int) *rubric.Suite {
	s := &rubric.Suite{Dialect: "agentv", Name: "shop", Target: "prod"}
	for i := range n {
		s.Cases = append(s.Cases, &rubric.Case{
			ID: fmt.Sprintf("case-%d", i), ExpectedOutcome: "Offers a refund", ReferenceAnswer: "We refund and send a label.",
			Graders: []*rubric.Grader{{Name: "rubric", Kind: rubric.LLMJudge, Weight: 1, Criteria: []*rubric.Criterion{
				{ID: "refund", Text: "Offers a refund", Weight: 2}, {ID: "label", Text: "Sends a label", Weight: 1, Required: new(bool)},
			}}},
		})
	}
	return s
}

func records(r run.Runner, ctx context.Context, s *rubric.Suite, keep func(*rubric.Case) bool) (all []run.Record) {
	for e := range r.Run(ctx, s, keep) {
		if e.Stage == run.Done {
			all = append(all, *e.Record)
		}
	}
	return all
}

func ids(all []run.Record) (out []string) {
	for _, r := range all {
		out = append(out, r.EvalID)
	}
	return out
}

// TestInOrder: however many work side by side and whichever case is slow, the
// records come in the suite's order, and only a few wait for a slow one.
func TestInOrder(t *testing.T) {
	s := suite(60)
	slow := make(chan struct{})
	started := make(chan string, len(s.Cases))
	target := func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		started <- c.ID
		if c.ID == "case-0" {
			<-slow
		}
		return run.Self(ctx, c)
	}
	r := run.Runner{Target: target, Judge: offline.Judge{}, Workers: 3}
	begun := 0
	var got []run.Record
	for e := range r.Run(t.Context(), s, nil) {
		if e.Stage == run.Started {
			if begun++; begun == 12 { // as many as may be under way or waiting
				close(slow)
			}
		}
		if e.Stage == run.Done {
			got = append(got, *e.Record)
		}
	}
	var want []string
	for _, c := range s.Cases {
		want = append(want, c.ID)
	}
	if !slices.Equal(ids(got), want) {
		t.Errorf("records come as %v", ids(got))
	}
	for _, rec := range got {
		if rec.Verdict != score.Pass || rec.Score != 1 || rec.Target != "prod" || rec.Ungraded != 0 {
			t.Fatalf("%+v", rec)
		}
	}
}

// TestCancelKeepsWhatIsThere: no further case is started, what is done stays.
func TestCancelKeepsWhatIsThere(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := run.Runner{Target: run.Self, Judge: offline.Judge{}}
	var good, stopped int
	for e := range r.Run(ctx, suite(50), nil) {
		if e.Stage != run.Done {
			continue
		}
		if e.Record.Error == "" {
			good++
		} else {
			stopped++
		}
		if good == 3 {
			cancel()
		}
	}
	cancel()
	if good < 3 || good+stopped > 10 {
		t.Errorf("%d done and %d stopped", good, stopped)
	}
}

// TestConsumerMayLeave: breaking out of the loop ends the run.
func TestConsumerMayLeave(t *testing.T) {
	r := run.Runner{Target: run.Self, Judge: offline.Judge{}, Workers: 4}
	for e := range r.Run(t.Context(), suite(50), nil) {
		if e.Stage == run.Done {
			break
		}
	}
}

func TestTargetsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		target      run.Target
		says        string
		unreachable bool
	}{
		"an error": {func(context.Context, *rubric.Case) (grade.Submission, error) {
			return grade.Submission{}, errors.New("out of memory")
		}, "out of memory", false},
		"away": {func(context.Context, *rubric.Case) (grade.Submission, error) {
			return grade.Submission{}, fmt.Errorf("it %w", judge.ErrUnreachable)
		}, "could not be reached", true},
		"a panic":     {func(context.Context, *rubric.Case) (grade.Submission, error) { panic("boo") }, "panicked: boo", false},
		"none":        {nil, "no target", false},
		"no recorded": {run.Recording{}.Respond, "no answer is recorded for the case `case-0`", false},
	} {
		rec := records(run.Runner{Target: c.target, Judge: offline.Judge{}}, t.Context(), suite(1), nil)[0]
		if !strings.Contains(rec.Error, c.says) || rec.Verdict != score.Fail || rec.Unreachable != c.unreachable || rec.Ungraded != 1 {
			t.Errorf("%s: %+v", name, rec)
		}
	}
	bare := suite(1)
	bare.Cases[0].ReferenceAnswer = ""
	if rec := records(run.Runner{Target: run.Self}, t.Context(), bare, nil)[0]; !strings.Contains(rec.Error, "no expected output") {
		t.Errorf("a self-test without a reference: %+v", rec)
	}
	away := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{}, judge.ErrUnreachable
	})
	if rec := records(run.Runner{Target: run.Self, Judge: away}, t.Context(), suite(1), nil)[0]; !rec.Unreachable || rec.Verdict != score.Fail || rec.Ungraded == 0 {
		t.Errorf("a judge that is away: %+v", rec)
	}
}

func TestOnly(t *testing.T) {
	s := suite(12)
	for patterns, want := range map[string]int{"": 12, "case-1": 1, "case-1*": 3, "case-?": 10, "nobody": 0, "case-1,case-2": 2} {
		var list []string
		if patterns != "" {
			list = strings.Split(patterns, ",")
		}
		if got := records(run.Runner{Target: run.Self, Judge: offline.Judge{}}, t.Context(), s, run.Only(list...)); len(got) != want {
			t.Errorf("%q keeps %v", patterns, ids(got))
		}
	}
}

func TestReadRecording(t *testing.T) {
	lines := `{"eval_id":"a","candidate_answer":"A","trace_summary":{"duration_ms":5}}
{"id":"b","answer":{"x":1},"tool_calls":[{"tool":"search"}],"cost_usd":0.5}

{"id":"c","output":"old"}
{"id":"c","output":"new"}`
	got, err := run.ReadRecording(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	if a := got["a"]; a.Answer != "A" || *a.Trace.DurationMS != 5 {
		t.Errorf("a is %+v", a)
	}
	if b := got["b"]; b.Answer != `{"x":1}` || b.ToolCalls[0].Tool != "search" || *b.Trace.CostUSD != 0.5 {
		t.Errorf("b is %+v", b)
	}
	if got["c"].Answer != "new" {
		t.Errorf("c is %+v", got["c"])
	}
	for line, says := range map[string]string{
		"{": "line 1", `{"answer":"x"}`: "no `eval_id`", `{"id":"a"}`: "no `candidate_answer`", "5": "line 1",
	} {
		if _, err := run.ReadRecording(strings.NewReader(line)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestRescore: a record holds all that scoring needs. Read back from its line and
// scored again it is what it was; in the other profile it is what a run would be.
func TestRescore(t *testing.T) {
	sevens := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{Text: `{"checks":[{"id":"a","score":7},{"id":"b","score":7},{"id":"c","score":10}],"overall_reasoning":"x"}`}, nil
	})
	s := suite(1)
	bands := []rubric.Band{{Lo: 0, Hi: 10, Text: "any"}}
	s.Cases[0].Graders[0].Criteria = []*rubric.Criterion{
		{ID: "a", Text: "A", Weight: 1, Bands: bands}, {ID: "b", Text: "B", Weight: 1, Bands: bands}, {ID: "c", Text: "C", Weight: 1, Bands: bands},
	}
	for _, c := range []struct {
		profile, other score.Profile
		verdict, after score.Verdict
	}{{score.Spec, score.AgentV, score.Pass, score.Borderline}, {score.AgentV, score.Spec, score.Borderline, score.Pass}} {
		rec := records(run.Runner{Target: run.Self, Judge: sevens, Profile: c.profile}, t.Context(), s, nil)[0]
		line, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		var back run.Record
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatal(err)
		}
		same, _ := json.Marshal(run.Rescore(back, c.profile))
		if !bytes.Equal(line, same) {
			t.Errorf("%s: scored again it is\n%s\nand was\n%s", c.profile, same, line)
		}
		if other := run.Rescore(back, c.other); rec.Verdict != c.verdict || other.Verdict != c.after {
			t.Errorf("%s %s, scored as %s it is %s", c.profile, rec.Verdict, c.other, other.Verdict)
		}
	}
	failed := run.Record{Error: "x", Verdict: score.Fail, Profile: score.Spec}
	if got := run.Rescore(failed, score.AgentV); got.Verdict != score.Fail || got.Error != "x" {
		t.Errorf("what was not run stays: %+v", got)
	}
}

// TestEqualRuns: without a clock a run depends on its input alone.
func TestEqualRuns(t *testing.T) {
	line := func(workers int) []byte {
		out, _ := json.Marshal(records(run.Runner{Target: run.Self, Judge: offline.Judge{}, Workers: workers}, t.Context(), suite(20), nil))
		return out
	}
	if a, b := line(1), line(7); !bytes.Equal(a, b) {
		t.Error("two equal runs differ")
	}
	at := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	clock := func() time.Time { at = at.Add(time.Second); return at }
	rec := records(run.Runner{Target: run.Self, Judge: offline.Judge{}, Clock: clock}, t.Context(), suite(1), nil)[0]
	if rec.Timestamp != "2026-03-14T15:09:27.000Z" || *rec.DurationMS != 1000 {
		t.Errorf("stamped %s, took %v", rec.Timestamp, *rec.DurationMS)
	}
}

// TestLineKeys keeps the names in result files, which others read.
func TestLineKeys(t *testing.T) {
	rec := records(run.Runner{Target: run.Mock("We refund."), TargetName: "mock", Judge: offline.Judge{}, JudgeName: "offline"}, t.Context(), suite(1), nil)[0]
	raw, _ := json.Marshal(rec)
	var object map[string]any
	_ = json.Unmarshal(raw, &object)
	want := []string{"candidate_answer", "case_fingerprint", "dataset", "eval_id", "evaluator_results", "expected_outcome", "gates", "hits", "judge",
		"misses", "profile", "reasoning", "reasons", "score", "target", "ungraded", "verdict"}
	var got []string
	for key := range object {
		got = append(got, key)
	}
	slices.Sort(got)
	if rec.Verdict == score.Pass {
		want = slices.DeleteFunc(want, func(k string) bool { return k == "reasons" })
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("a line has %v, want %v", got, want)
	}
	grader := object["evaluator_results"].([]any)[0].(map[string]any)
	for _, key := range []string{"name", "type", "weight", "score", "verdict", "gates", "grades", "criteria", "evaluator_provider_request", "replies"} {
		if grader[key] == nil {
			t.Errorf("a grader lacks %q", key)
		}
	}
}
