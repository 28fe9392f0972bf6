package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestStopped: what was graded before a run was stopped stands: for the sake of a program
// that has looked at the answer the target is not asked again, and neither is the program.
// Who was asked just then is asked again, although the oldest profile makes a score of it.
func TestStopped(t *testing.T) {
	for _, profile := range []score.Profile{score.Spec, score.AgentV} {
		ctx, stop := context.WithCancel(t.Context())
		var asked []string
		r := run.Runner{
			Profile: profile,
			Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
				asked = append(asked, "target")
				return grade.Submission{Answer: "refund"}, nil
			},
			Exec: func(context.Context, grade.Command) (grade.Output, error) {
				asked = append(asked, "program")
				return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
			},
			Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
				asked = append(asked, "judge")
				stop()
				return judge.Answer{}, errors.New("stopped")
			}),
		}
		s := suite(1)
		c := s.Cases[0]
		c.Graders = []*rubric.Grader{
			{Name: "program", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"look"}}},
			{Name: "judge", Kind: rubric.LLMJudge, Weight: 1},
			{Name: "calls", Kind: rubric.ToolTrajectory, Weight: 1},
		}
		quiet := func(*run.GraderRecord) {}
		was := r.RunCase(ctx, s, c, quiet)
		if was.Error == "" || !r.CanReuseAnswer(was, c) {
			t.Errorf("%s: the answer does not stand: %+v", profile, was)
		}
		asked = nil
		r.Earlier = func(*rubric.Case) *run.Record { return was }
		r.Judge = judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			asked = append(asked, "judge again")
			return judge.Answer{Text: `{"score":1,"hits":[],"misses":[],"reasoning":"r"}`}, nil
		})
		is := r.RunCase(t.Context(), s, c, quiet)
		if len(asked) != 1 || asked[0] != "judge again" || is.Error != "" || is.Unreachable || *is.Graders[0].Score != 1 || *is.Graders[1].Score != 1 {
			t.Errorf("%s: asked are %q: %+v", profile, asked, is)
		}
		r.Exec = nil
		if was.Graders[0].Unreachable = true; !r.CanReuseAnswer(was, c) { // it was the program that was asked
			t.Errorf("%s: a program that may not be run any more is in the way", profile)
		}
		if is = r.RunCase(t.Context(), s, c, quiet); is.Unreachable {
			t.Errorf("%s: of a program that may not be run any more: %+v", profile, is.Graders[0])
		}
	}
}

// TestCanReuseAnswer: an answer is not asked for again unless something must look at more of it
// than the record holds.
func TestCanReuseAnswer(t *testing.T) {
	tools := &rubric.Grader{Name: "tools", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"x"}}}
	r := run.Runner{Judge: reader, Exec: func(context.Context, grade.Command) (grade.Output, error) { return grade.Output{}, nil }}
	graded := run.GraderRecord{Result: score.Result{Grades: []score.Grade{{ID: "a", Satisfied: new(bool)}}}}
	half := run.GraderRecord{Result: score.Result{Grades: []score.Grade{{ID: "a", Ungraded: "away"}}}}
	for _, tt := range []struct {
		name   string
		rec    run.Record
		change func(*rubric.Case)
		want   bool
	}{
		{"graded", run.Record{Graders: []run.GraderRecord{graded}}, nil, true},
		{"partly graded", run.Record{Graders: []run.GraderRecord{half}}, nil, false},
		{"of fewer graders", run.Record{}, nil, false},
		{"of a conversation", run.Record{Graders: []run.GraderRecord{graded}}, func(c *rubric.Case) { c.Conversation = &rubric.Conversation{} }, false},
		{"with metrics", run.Record{Graders: []run.GraderRecord{{Metric: &metric.Result{}, Result: graded.Result}}}, nil, false},
	} {
		c := &rubric.Case{ID: "a", Graders: []*rubric.Grader{tools}}
		if tt.change != nil {
			tt.change(c)
		}
		if got := r.CanReuseAnswer(&tt.rec, c); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestPaidForNothing: usage includes unusable replies, also after the case was graded again.
func TestPaidForNothing(t *testing.T) {
	free := &rubric.Grader{Name: "free", Kind: rubric.LLMJudge, Weight: 1}
	for name, g := range map[string]*rubric.Grader{"a judge": free, "a member": {Name: "all", Kind: rubric.Composite, Weight: 1, Members: []*rubric.Grader{free}}} {
		says := "rubbish"
		r := run.Runner{
			Target: run.MockTarget("refund"),
			Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
				return judge.Answer{Text: says, Model: "m", Usage: judge.Usage{Input: 10}}, nil
			}),
		}
		s := suite(1)
		c := s.Cases[0]
		c.Graders = []*rubric.Grader{g}
		last := r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {})
		r.Earlier = func(*rubric.Case) *run.Record { return last }
		for _, then := range []struct {
			says  string
			calls int
		}{{"rubbish", 6}, {`{"score":1,"hits":[],"misses":[],"reasoning":"r"}`, 7}} {
			says = then.says
			last = r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {})
			if spent := last.JudgeUsage(); spent.Calls != then.calls || spent.Input != 10*then.calls {
				t.Errorf("%s that says %s: %+v", name, says, spent)
			}
		}
		if last.Ungraded > 0 {
			t.Errorf("%s: %+v", name, last)
		}
	}
}

// TestPaidForAnother: usage includes replies to a question that has changed since.
func TestPaidForAnother(t *testing.T) {
	away := true
	r := run.Runner{
		Target: run.MockTarget("refund"),
		Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			if away && !strings.HasPrefix(q.User, "Combine") {
				return judge.Answer{}, errors.New("away")
			}
			return judge.Answer{Text: `{"score":1,"hits":[],"misses":[],"reasoning":"r"}`, Model: "m", Usage: judge.Usage{Input: 10}}, nil
		}),
	}
	s := suite(1)
	c := s.Cases[0]
	c.Graders = []*rubric.Grader{{
		Name: "all", Kind: rubric.Composite, Weight: 1, Members: []*rubric.Grader{{Name: "free", Kind: rubric.LLMJudge, Weight: 1}},
		Combine: &rubric.Aggregator{Type: "llm_judge", Prompt: "Combine {{EVALUATOR_RESULTS_JSON}}"},
	}}
	last := r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {})
	away, r.Earlier = false, func(*rubric.Case) *run.Record { return last }
	stale := func() bool {
		return slices.ContainsFunc(last.Graders[0].Replies, func(r judge.Reply) bool {
			return slices.Equal(r.Problems, []string{"the question has changed since"})
		})
	}
	for _, calls := range []int{3, 3} { // one to combine without the member, it, and one to combine with it
		if last = r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {}); last.JudgeUsage().Calls != calls || last.Ungraded > 0 {
			t.Errorf("%+v: %+v", last.JudgeUsage(), last.Graders)
		}
		if !stale() {
			t.Errorf("no reply belongs to the question of before: %+v", last.Graders[0].Replies)
		}
	}
}

// TestPaidForMember: a member's reply is used again when another member is graded.
func TestPaidForMember(t *testing.T) {
	calls, away := 0, true
	r := run.Runner{
		Target: run.MockTarget("refund"),
		Judge: judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			if calls == 1 && away {
				return judge.Answer{}, errors.New("away")
			}
			calls++
			return judge.Answer{Text: `{"score":1}`, Model: "m"}, nil
		}),
	}
	s := suite(1)
	c := s.Cases[0]
	c.Graders = []*rubric.Grader{{Name: "all", Kind: rubric.Composite, Weight: 1, Members: []*rubric.Grader{
		{Name: "one", Kind: rubric.LLMJudge, Weight: 1}, {Name: "two", Kind: rubric.LLMJudge, Weight: 1},
	}}}
	first := r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {})
	away, r.Earlier = false, func(*rubric.Case) *run.Record { return first }
	if last := r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {}); calls != 2 || first.Ungraded == 0 || last.Ungraded > 0 {
		t.Errorf("%d calls: %+v", calls, last.Graders)
	}
}

// TestPaidForLater: the next run uses a reply to a question that the stopped run did not reach.
func TestPaidForLater(t *testing.T) {
	calls := 0
	says := func(failed error, but int) judge.Judge {
		return judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			if failed != nil && q.Sample != but {
				return judge.Answer{}, failed
			}
			calls++
			return judge.Answer{Text: fmt.Sprintf(`{"score":0.%d}`, q.Sample), Model: "m", Usage: judge.Usage{Input: 10}}, nil
		})
	}
	r := run.Runner{Target: run.MockTarget("refund"), Samples: 3}
	s := suite(1)
	c := s.Cases[0]
	c.Graders = []*rubric.Grader{{Name: "free", Kind: rubric.LLMJudge, Weight: 1}}
	var last *run.Record
	for _, r.Judge = range []judge.Judge{says(errors.New("away"), 2), says(judge.ErrUnrecorded, -1), says(nil, 0)} {
		last = r.RunCase(t.Context(), s, c, func(*run.GraderRecord) {})
		r.Earlier = func(*rubric.Case) *run.Record { return last }
	}
	if calls != 3 || last.JudgeUsage().Calls != 3 || last.Ungraded > 0 {
		t.Errorf("%d calls: %+v", calls, last.Graders)
	}
	for _, reply := range last.Graders[0].Replies {
		if reply.Text != fmt.Sprintf(`{"score":0.%d}`, reply.Sample) {
			t.Errorf("sample %d has the reply %s", reply.Sample, reply.Text)
		}
	}
}

// TestMark: a record's key is the one that its run would give to the case again. It does not
// depend on time or results, and every other setting changes it.
func TestMark(t *testing.T) {
	base := run.Runner{Target: answer("We refund."), TargetName: "mine", Judge: reader, JudgeName: "reader"}
	s := suite(2)
	rec := records(t.Context(), base, s, nil)[0]
	stored := readBack(t, line(t, rec))
	if stored.Timestamp, stored.Verdict = "2026-03-14T15:09:26.000Z", score.Fail; stored.Key() != base.RecordKey(s, s.Cases[0]) {
		t.Error("the record of the same has another mark")
	}
	target, judged, sampled, profiled := base, base, base, base
	target.TargetName, judged.JudgeName, sampled.Samples, profiled.Profile = "theirs", "reader + other", 3, score.AgentV
	for name, r := range map[string]run.Runner{"target": target, "judge": judged, "samples": sampled, "profile": profiled} {
		if r.RecordKey(s, s.Cases[0]) == stored.Key() {
			t.Errorf("another %s, and the same mark", name)
		}
	}
	once := base
	if once.Samples = 1; once.RecordKey(s, s.Cases[0]) != stored.Key() {
		t.Error("one sample is not what is asked for without a word")
	}
	if base.RecordKey(s, s.Cases[1]) == stored.Key() {
		t.Error("another case, and the same mark")
	}
	s.Cases[0].Question = "Whole?"
	if base.RecordKey(s, s.Cases[0]) == stored.Key() {
		t.Error("another question, and the same mark")
	}
}

// TestRecordKeyOfPrompt: an answer to one prompt is none to another, or to an earlier text of it.
func TestRecordKeyOfPrompt(t *testing.T) {
	keys := map[run.RecordKey]bool{}
	records := []run.Record{{}, {Prompt: "p", PromptFingerprint: "1"}, {Prompt: "p", PromptFingerprint: "2"}, {Prompt: "q", PromptFingerprint: "1"}}
	for _, r := range records {
		keys[r.Key()] = true
	}
	if len(keys) != len(records) {
		t.Errorf("%d keys of %d records", len(keys), len(records))
	}
}
