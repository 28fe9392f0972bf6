package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestTargetsThatFail: a case without an answer says why, and the next one runs.
func TestTargetsThatFail(t *testing.T) {
	fails := func(err error) run.Target {
		return func(context.Context, *rubric.Case) (grade.Submission, error) { return grade.Submission{}, err }
	}
	for _, c := range []struct {
		name        string
		target      run.Target
		says        string
		unreachable bool
	}{
		{"an error", fails(errors.New("out of memory")), "the target gave no answer: out of memory", false},
		{"away", fails(fmt.Errorf("dial: %w", judge.ErrUnreachable)), "the target gave no answer: dial: could not be reached", true},
		{"a panic", func(context.Context, *rubric.Case) (grade.Submission, error) { panic("boo") }, "the target gave no answer: it panicked: boo", false},
		{"none", nil, "the target gave no answer: no target was given", false},
		{"nothing recorded", run.Recording{}.Respond, "no answer is recorded for the case `case-0`", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := records(t.Context(), run.Runner{Target: c.target, Judge: reader, Workers: 2}, suite(3), nil)
			if len(got) != 3 {
				t.Fatalf("%d of 3 cases are run", len(got))
			}
			r := got[0]
			if !strings.HasSuffix(r.Error, c.says) || r.Verdict != score.Ungraded || r.Score != nil || r.Ungraded != 1 || r.Unreachable != c.unreachable {
				t.Errorf("%+v", r)
			}
			if len(r.Reasons) != 1 || r.Reasons[0] != r.Error || r.Graders == nil || r.Gates == nil || r.Hits == nil || r.Misses == nil {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestJudgeAway: an unreachable judge differs from one that finds fault, in a grader, in a member
// and in the record.
func TestJudgeAway(t *testing.T) {
	away := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{}, fmt.Errorf("dial: %w", judge.ErrUnreachable)
	})
	for _, profile := range []score.Profile{score.Spec, score.AgentV} {
		s, want := suite(1), score.Ungraded
		if profile.IsReference() {
			want = score.Fail
		}
		inner := s.Cases[0].Graders[0]
		for name, g := range map[string]*rubric.Grader{"a grader": inner, "a member": {Name: "all", Kind: rubric.Composite, Weight: 1, Members: []*rubric.Grader{inner}}} {
			s.Cases[0].Graders = []*rubric.Grader{g}
			r := one(t, run.Runner{Target: answer("refund"), Judge: away, Profile: profile}, s)
			if !r.Unreachable || !r.Graders[0].Unreachable || r.Verdict != want || r.Error != "" {
				t.Errorf("%s, %s: %+v", profile, name, r)
			}
			if profile == score.Spec && r.Ungraded == 0 {
				t.Errorf("%s: nothing is ungraded", name)
			}
		}
	}
	if r := one(t, run.Runner{Target: answer("no"), Judge: reader}, suite(1)); r.Unreachable || r.Verdict != score.Fail {
		t.Errorf("a judge that finds fault: %+v", r)
	}
}

func TestTargets(t *testing.T) {
	r := one(t, run.Runner{Target: run.SelfTarget, Judge: reader}, suite(1))
	if r.CandidateAnswer != "We refund and send a label." || r.Target != "prod" {
		t.Errorf("a self-test: %+v", r)
	}
	bare := suite(1)
	bare.Cases[0].ReferenceAnswer = ""
	if r := one(t, run.Runner{Target: run.SelfTarget}, bare); !strings.Contains(r.Error, "the case `case-0` has no expected output") {
		t.Errorf("a self-test without a reference: %+v", r)
	}
	if r := one(t, run.Runner{Target: run.MockTarget("label"), TargetName: "mock"}, suite(1)); r.CandidateAnswer != "label" || r.Target != "mock" {
		t.Errorf("a mock: %+v", r)
	}
	recorded := run.Recording{"case-0": {Submission: grade.Submission{Answer: "kept"}}}
	if r := one(t, run.Runner{Target: recorded.Respond}, suite(1)); r.CandidateAnswer != "kept" {
		t.Errorf("a recording: %+v", r)
	}
	whole := suite(1)
	c := whole.Cases[0]
	for fresh, a := range map[bool]run.RecordedAnswer{
		false: {CaseFingerprint: "other", Question: "Another " + c.Question},
		true:  {CaseFingerprint: "other", Question: c.Question + "\n"},
	} {
		if r := one(t, run.Runner{Target: run.Recording{c.ID: a}.Respond}, whole); strings.Contains(r.Error, "the recorded answer is stale") == fresh {
			t.Errorf("an answer to %q: %+v", a.Question, r)
		}
	}
	if _, err := (run.RecordedAnswer{CaseFingerprint: "other", Question: strings.TrimPrefix(c.Question, "B")}).To(c); err == nil {
		t.Error("an answer to the end of a question")
	}
	for name, a := range map[string]run.RecordedAnswer{"a question": {Question: "Another"}, "a fingerprint": {CaseFingerprint: "other"}} {
		if _, err := a.To(c); err == nil {
			t.Errorf("an answer with only %s, and another one", name)
		}
	}
	if _, err := (run.RecordedAnswer{}).To(c); err != nil {
		t.Errorf("an answer to nobody knows what: %v", err)
	}
	if _, err := (run.RecordedAnswer{CaseFingerprint: c.Fingerprint(), Question: "As an older version wrote it"}).To(c); err != nil {
		t.Errorf("an answer to the same case: %v", err)
	}
}

func TestReadRecording(t *testing.T) {
	lines := `{"eval_id":"a","id":"x","candidate_answer":"A","trace_summary":{"duration_ms":5},"cost_usd":9}
{"id":"b","answer":{"x":1},"tool_calls":[{"tool":"search"}],"cost_usd":0.5}

{"id":"c","candidate_answer":null,"output":"old"}
` + "{\"id\":\"c\",\"output\":\"new\"}\r" + `
{"id":"named","answer":"","tool_names":["search"]}
{"eval_id":"result","candidate_answer":"R","evaluator_results":[{"name":"rubric"}],"duration_ms":9000,"trace_summary":null}
{"eval_id":"failed","candidate_answer":"","evaluator_results":[],"error":"the target gave no answer"}
{"eval_id":"result","candidate_answer":"","evaluator_results":[],"error":"the run was stopped"}`
	got, err := run.ReadRecording([]byte(lines))
	if err != nil {
		t.Fatal(err)
	}
	if a := got["a"]; a.Answer != "A" || *a.Trace.DurationMS != 5 || a.Trace.CostUSD != nil {
		t.Errorf("a is %+v", a)
	}
	if b := got["b"]; b.Answer != `{"x":1}` || b.ToolCalls[0].Tool != "search" || *b.Trace.CostUSD != 0.5 {
		t.Errorf("b is %+v", b)
	}
	if c := got["c"]; c.Answer != "new" || c.Trace != nil {
		t.Errorf("c is %+v", c)
	}
	if n, ok := got["named"]; !ok || n.Answer != "" || n.Trace == nil {
		t.Errorf("an empty answer is an answer: %+v", n)
	}
	if r := got["result"]; r.Answer != "R" || r.Trace != nil {
		t.Errorf("a result's duration is not the target's, and a later failure takes no answer away: %+v", r)
	}
	if f, ok := got["failed"]; ok {
		t.Errorf("a case that failed has the answer %+v", f)
	}
	if len(got) != 5 {
		t.Errorf("%d answers", len(got))
	}
}

// TestReadRecordingOfResults: a result tells which question and which target its answer belongs to,
// and the answer of each turn.
func TestReadRecordingOfResults(t *testing.T) {
	result := func(target string) string {
		return `{"eval_id":"a","candidate_answer":"A","question":"Q","case_fingerprint":"F","evaluator_results":[{"name":"x"},{"turn":{"question":"U","candidate_answer":"T"}}]` + target + "}\n"
	}
	got, err := run.ReadRecording([]byte(result("") + `{"id":"b","answer":"B","question":"Q","case_fingerprint":"F"}` + "\n" +
		`{"eval_id":"c","candidate_answer":"C","question":"Q","evaluator_results":[{"name":"x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][3]string{"a": {"A", "Q", "F"}, "a/turn-2": {"T", "U", "F"}, "b": {"B", "", ""}, "c": {"C", "Q", ""}} {
		if a := got[id]; a.Answer != want[0] || a.Question != want[1] || a.CaseFingerprint != want[2] {
			t.Errorf("%s: %+v", id, a)
		}
	}
	if len(got) != 4 {
		t.Errorf("%d answers", len(got))
	}
	for lines, fault := range map[string]bool{
		result(`,"target":"t"`) + result(`,"target":"u"`): true, result(`,"target":"t"`) + result(`,"target":"t"`): false,
		result(`,"target":"t"`) + result(""): false, result("") + result(`,"target":"t"`): false,
	} {
		if _, err := run.ReadRecording([]byte(lines)); (err != nil) != fault {
			t.Errorf("%s: %v", lines, err)
		}
	}
}

// TestRecordedTrials takes answers from a result of several trials, of which the second one was best.
func TestRecordedTrials(t *testing.T) {
	runs := `{"candidate_answer":"A"},{"candidate_answer":"B"},{"candidate_answer":"","error":"away"},{"candidate_answer":""},{"candidate_answer":"C","error":"no grade"}`
	got, err := run.ReadRecording([]byte(`{"eval_id":"a","candidate_answer":"B","trace_summary":{"duration_ms":5},"trials":{"runs":[` + runs + `]},"evaluator_results":[{"name":"x"},{"turn":{"question":"U","candidate_answer":"T"}}]}
{"eval_id":"same","candidate_answer":"B","trials":{"runs":[{"candidate_answer":"B"},{"candidate_answer":"B"}]},"evaluator_results":[{"name":"x"}]}
{"eval_id":"once","candidate_answer":"B","evaluator_results":[{"name":"x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const none = -2 // the case runs once
	for _, c := range []struct {
		id    string
		trial int
		want  string
	}{
		{"a", none, "the recorded answers are those of 5 trials; run the case with --trials 5"},
		{"a", -1, "B, 5 ms"}, {"a", 0, "A"}, {"a", 1, "B, 5 ms"}, {"a", 3, ""}, {"a", 4, "C"},
		{"a", 2, "no answer is recorded for the trial 3 of the case `a`"},
		{"a", 5, "no answer is recorded for the trial 6 of the case `a`"},
		{"a/turn-2", 0, "no answer is recorded for the trial 1 of the case `a/turn-2`"}, {"a/turn-2", 1, "T"},
		{"same", none, "B"}, {"same", 1, "B"}, {"once", none, "B"}, {"once", 0, "B"},
	} {
		ctx := t.Context()
		if c.trial != none {
			ctx = judge.WithTrial(ctx, c.trial)
		}
		sub, err := got.Respond(ctx, &rubric.Case{ID: c.id, Question: "U"})
		said := sub.Answer
		if sub.Trace != nil {
			said += fmt.Sprintf(", %v ms", *sub.Trace.DurationMS)
		}
		if err != nil {
			said = err.Error()
		}
		if said != c.want {
			t.Errorf("%s, trial %d: %q, want %q", c.id, c.trial, said, c.want)
		}
	}
}

func TestReadRecordingFaults(t *testing.T) {
	const good = `{"id":"a","answer":"A"}` + "\n"
	for lines, says := range map[string]string{
		"{":                        "recorded answers: line 1: it is not JSON",
		good + "\n" + "5":          "recorded answers: line 3: it is a JSON number",
		good + `{"answer":"x"}`:    "recorded answers: line 2: no `eval_id`, `test_id` or `id`",
		`{"id":"a"}`:               "recorded answers: line 1: `a` has no `candidate_answer`, `answer` or `output`",
		`{"id":"a","output":null}`: "recorded answers: line 1: `a` has no `candidate_answer`, `answer` or `output`",
	} {
		if _, err := run.ReadRecording([]byte(lines)); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v", lines, err)
		}
	}
}

// TestReadAnswerMessages: an answer is a list of messages, or no messages at all.
func TestReadAnswerMessages(t *testing.T) {
	for _, c := range []struct {
		answer, text string
		messages     int
	}{
		{`[{"role": "assistant", "content": "Hi"}, {"role": "assistant", "tool_calls": [{"tool": "x"}]}, {"role": "tool", "content": "later"}]`, "Hi", 3},
		{`[{"role": "assistant", "content": "Hi"}, {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}]`, "a\nb", 2},
		{`[{"role": "assistant", "content": [{"text": "a"}]}]`, `[{"text":"a"}]`, 1},
		{`[{"role": "assistant", "content": []}]`, `[]`, 1},
		{`[{"role": "assistant", "content": {"a": 1}}]`, `{"a":1}`, 1},
		{`[{"role": "user", "content": "Hi"}]`, "", 1},
		{`[{"role": "assistant"}]`, "", 0},
		{`[{"content": "Hi"}]`, "", 0},
		{`"Hi"`, "", 0},
	} {
		if text, messages := run.ReadAnswerMessages([]byte(c.answer)); text != c.text || len(messages) != c.messages {
			t.Errorf("%s: %q of %d messages", c.answer, text, len(messages))
		}
	}
}
