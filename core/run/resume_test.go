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

// memoryStore is a store whose places are indexes.
type memoryStore struct {
	earlier []*run.Record
	log     []string
	readErr error
	addErr  error
}

func (m *memoryStore) Add(rec *run.Record) error {
	m.log = append(m.log, "add "+rec.EvalID)
	return m.addErr
}
func (m *memoryStore) Read(at run.Place) (*run.Record, error) { return m.earlier[at.Offset], m.readErr }
func (m *memoryStore) Keep(at run.Place)                      { m.log = append(m.log, "keep "+m.earlier[at.Offset].EvalID) }

// TestResume continues a run: a complete result is kept, an incomplete one graded further without
// asking its target, a stale one replaced only by a new answer, and the order is the file's.
func TestResume(t *testing.T) {
	criterion := []*rubric.Criterion{{ID: "x", Text: "X", Weight: 1}}
	suite := &rubric.Suite{Name: "s"}
	for _, id := range []string{"done", "open", "gone", "new"} {
		suite.Cases = append(suite.Cases, &rubric.Case{ID: id, Question: "Q " + id, Graders: []*rubric.Grader{{Name: "g", Kind: rubric.LLMJudge, Weight: 1, Criteria: criterion}}})
	}
	var asked []string
	reply := `{"checks":[{"id":"x","satisfied":true}]}`
	r := run.Runner{TargetName: "t", JudgeName: "j", Workers: 1, EvalFile: "f",
		Target: func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
			asked = append(asked, c.ID)
			return grade.Submission{Answer: "A"}, nil
		},
		Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			if reply == "" {
				return judge.Answer{}, errors.New("down")
			}
			return judge.Answer{Text: reply, Model: "m", Usage: judge.Usage{Input: 1}}, nil
		}),
	}
	started := 0
	collect := func(resume *run.Resume, cases ...*rubric.Case) (records []*run.Record, events []string, failed error) {
		for e, err := range resume.Run(t.Context(), r, suite, slices.Values(cases), len(cases)) {
			if err != nil {
				return records, events, err
			}
			if e.Stage == run.Started {
				started++
			}
			if e.Stage == run.Done {
				records, events = append(records, e.Record), append(events, fmt.Sprintf("%s %v %s", e.Record.EvalID, e.Reused, e.Record.Verdict))
			}
		}
		return records, events, nil
	}
	done, _, _ := collect(&run.Resume{}, suite.Cases[0])
	reply = ""
	open, _, _ := collect(&run.Resume{}, suite.Cases[1], suite.Cases[2])
	reply = `{"checks":[{"id":"x","satisfied":true}]}`
	suite.Cases[2].Graders[0].Prompt = &rubric.Prompt{} // the fingerprint changes, so the result is of another case

	store := &memoryStore{earlier: append(done, open...)}
	resume := &run.Resume{Store: store, Locate: func(file string) (int, bool) { return 0, file == "f" }}
	everything := run.MatchIDs()
	for i, rec := range store.earlier {
		resume.AddEarlier(rec, run.Place{Offset: int64(i), Size: 1}, everything)
	}
	asked, started = nil, 0
	_, events, err := collect(resume, suite.Cases...)
	want := []string{"done true pass", "open false pass", "gone false pass", "new false pass"}
	if err != nil || !slices.Equal(events, want) {
		t.Errorf("%q, %v; want %q", events, err, want)
	}
	if want := []string{"gone", "new"}; !slices.Equal(asked, want) || started != 3 {
		t.Errorf("the target was asked for %q, want %q", asked, want)
	}
	if got, want := strings.Join(store.log, ", "), "keep done, add open, add gone, add new"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if resume.Results != 4 || resume.Reused != 1 || resume.Answers != 1 || !resume.Paid {
		t.Errorf("%d results, %d reused, %d answers, paid %v", resume.Results, resume.Reused, resume.Answers, resume.Paid)
	}
	var unused []int64
	for at := range resume.Unused() {
		unused = append(unused, at.Offset)
	}
	if slices.Sort(unused); !slices.Equal(unused, []int64{0, 2}) { // the kept one, and that of the changed case
		t.Errorf("unused: %v", unused)
	}
	if n, _ := resume.Lost(); n != 0 || resume.MayLose() {
		t.Errorf("%d lost", n)
	}

	// A result that cannot be read again ends the run.
	store.readErr, asked = errors.New("unreadable"), nil
	if records, _, err := collect(resume, suite.Cases...); err != store.readErr || len(records) > 0 || slices.Contains(asked, "done") {
		t.Errorf("%d records, %v, asked %q", len(records), err, asked)
	}
	store.addErr = errors.New("full")
	if records, _, err := collect(&run.Resume{Store: store}, suite.Cases[3]); err != store.addErr || len(records) > 0 {
		t.Errorf("%d records, %v", len(records), err)
	}
	for range (&run.Resume{}).Run(t.Context(), r, suite, slices.Values(suite.Cases), 4) {
		break // as a consumer may
	}
}

// TestResumeKeeps: which earlier results are complete, which have an answer that is graded further,
// and which are asked for again.
func TestResumeKeeps(t *testing.T) {
	c := &rubric.Case{ID: "a", Question: "Q", Graders: []*rubric.Grader{{Name: "g", Kind: rubric.CodeJudge, Weight: 1, Code: &rubric.Code{Argv: []string{"x"}}}}}
	graded := []run.GraderRecord{{Name: "g", Type: rubric.CodeJudge, Weight: 1}}
	missing := []run.GraderRecord{{Name: "g", Type: rubric.CodeJudge, Weight: 1, Result: score.UngradedResult("away")}}
	measured := []run.GraderRecord{{Metric: &metric.Result{}}}
	paid := []run.GraderRecord{{Name: "g", Type: rubric.CodeJudge, Weight: 1, Replies: []judge.Reply{{Model: "m"}}}}
	for _, tt := range []struct {
		name   string
		change []func(*run.Record) // of one earlier record each
		broken bool                // whether the target fails now
		want   string              // reused, answers, paid, then the places that are not replaced
	}{
		{"nothing", nil, false, "false 0 false []"},
		{"complete", []func(*run.Record){func(*run.Record) {}}, false, "true 0 false [1]"},
		{"complete and paid for", []func(*run.Record){func(r *run.Record) { r.Graders = paid }}, false, "true 0 true [1]"},
		{"complete metrics", []func(*run.Record){func(r *run.Record) { r.Graders = measured }}, false, "true 0 false [1]"},
		{"of a moved file", []func(*run.Record){func(r *run.Record) { r.EvalFile = "moved" }}, false, "true 0 false [1]"},
		{"ungraded, and the answer does not suffice", []func(*run.Record){func(r *run.Record) { r.Graders, r.Ungraded = missing, 1 }}, false, "false 0 false []"},
		{"ungraded, and the target fails now", []func(*run.Record){func(r *run.Record) { r.Graders, r.Ungraded = missing, 1 }}, true, "false 0 false [1]"},
		{"interrupted, all graded", []func(*run.Record){func(r *run.Record) { r.Error = "stopped" }}, false, "false 1 false []"},
		{"unreachable", []func(*run.Record){func(r *run.Record) { r.Unreachable = true }}, false, "false 1 false []"},
		{"without an answer", []func(*run.Record){func(r *run.Record) { r.Error, r.Graders, r.Ungraded = "no answer", nil, 1 }}, true, "false 0 false []"},
		{"ungraded metrics", []func(*run.Record){func(r *run.Record) { r.Graders, r.Ungraded = measured, 1 }}, false, "false 0 false []"},
		{"metrics and an error", []func(*run.Record){func(r *run.Record) { r.Graders, r.Error = measured, "stopped" }}, true, "false 0 false []"},
		{"complete, then ungraded", []func(*run.Record){func(*run.Record) {}, func(r *run.Record) { r.Graders, r.Ungraded = missing, 1 }}, false, "true 0 false [1]"},
		{"ungraded, then complete", []func(*run.Record){func(r *run.Record) { r.Graders, r.Ungraded = missing, 1 }, func(*run.Record) {}}, false, "true 0 false [2]"},
	} {
		r := run.Runner{
			EvalFile: "f", TargetName: "t",
			Target: func(context.Context, *rubric.Case) (grade.Submission, error) {
				if tt.broken {
					return grade.Submission{}, errors.New("broken")
				}
				return grade.Submission{Answer: "A"}, nil
			},
			Exec: func(context.Context, grade.Command) (grade.Output, error) {
				return grade.Output{Stdout: []byte(`{"score":1}`)}, nil
			},
		}
		store := &memoryStore{earlier: []*run.Record{nil}}
		resume := &run.Resume{Store: store, Locate: func(file string) (int, bool) {
			if file == "moved" {
				return -1, true
			}
			return 0, file == "f"
		}}
		for i, change := range tt.change {
			rec := &run.Record{EvalID: "a", EvalFile: "f", Target: "t", Profile: score.Spec, CaseFingerprint: c.Fingerprint(), Graders: graded, CandidateAnswer: "A"}
			change(rec)
			store.earlier = append(store.earlier, rec)
			resume.AddEarlier(rec, run.Place{Offset: int64(i + 1), Size: 1}, run.MatchIDs())
		}
		var reused []string
		for e, err := range resume.Run(t.Context(), r, &rubric.Suite{}, slices.Values([]*rubric.Case{c}), 1) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Stage == run.Done && e.Record.EvalID == "a" {
				reused = append(reused, fmt.Sprint(e.Reused))
			}
		}
		unused := []int64{}
		for at := range resume.Unused() {
			unused = append(unused, at.Offset)
		}
		if got := fmt.Sprintf("%s %d %v %v", strings.Join(reused, " "), resume.Answers, resume.Paid, unused); got != tt.want || resume.Results != 1 {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestResumeInterrupted: of a run that is stopped the finished cases are delivered, the answer to
// the case in hand is stored, and the others leave nothing.
func TestResumeInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := &rubric.Suite{}
	for _, id := range []string{"a", "b", "c", "d"} {
		s.Cases = append(s.Cases, &rubric.Case{ID: id, Question: id, Graders: []*rubric.Grader{{Name: "g", Kind: rubric.LLMJudge, Weight: 1}}})
	}
	r := run.Runner{Workers: 1, TargetName: "t", EvalFile: "f",
		Target: func(_ context.Context, c *rubric.Case) (grade.Submission, error) {
			return grade.Submission{Answer: c.ID}, nil
		},
		Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			if strings.Contains(q.User, "\nb\n") {
				stop()
				return judge.Answer{}, context.Canceled
			}
			return judge.Answer{Text: `{"score":1}`}, nil
		}),
	}
	store := &memoryStore{}
	var delivered []string
	resume := &run.Resume{Store: store}
	for e, err := range resume.Run(ctx, r, s, slices.Values(s.Cases), 4) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Stage == run.Done {
			delivered = append(delivered, e.Record.EvalID)
		}
	}
	if got := strings.Join(delivered, " ") + " | " + strings.Join(store.log, ", "); got != "a | add a, add b" || resume.Results != 1 {
		t.Errorf("%s, %d results", got, resume.Results)
	}
}

// TestResumeLost finds the results that a run would drop: of other files and of cases that it does
// not select, unless it has the case.
func TestResumeLost(t *testing.T) {
	resume := &run.Resume{Locate: func(file string) (int, bool) { return -1, file == "mine" }}
	for _, rec := range []run.Record{
		{EvalID: "a", EvalFile: "mine", Profile: score.Spec}, {EvalID: "b", EvalFile: "mine", Profile: score.Spec}, {EvalID: "c", EvalFile: "other", Profile: score.Spec},
	} {
		resume.AddEarlier(&rec, run.Place{}, run.MatchIDs("a", "c"))
	}
	if n, files := resume.Lost(); n != 2 || !slices.Equal(files, []string{"", "other"}) {
		t.Errorf("%d of %q", n, files)
	}
	c := &rubric.Case{ID: "c"}
	rec := run.Record{EvalID: "d", EvalFile: "other", CaseFingerprint: c.Fingerprint(), Profile: score.Spec}
	rec.EvalID = "c"
	resume.AddEarlier(&rec, run.Place{}, run.MatchIDs("c"))
	resume.Retain(run.Runner{}, &rubric.Suite{}, slices.Values([]*rubric.Case{c}))
	if n, _ := resume.Lost(); n != 2 {
		t.Errorf("%d are lost after the run turned out to have one of three", n)
	}
}
