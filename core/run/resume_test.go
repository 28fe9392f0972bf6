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
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// memoryStore is a store whose places are indexes.
type memoryStore struct {
	earlier []*run.Record
	log     []string
	readErr error
}

func (m *memoryStore) Add(rec *run.Record) error {
	m.log = append(m.log, "add "+rec.EvalID)
	return nil
}
func (m *memoryStore) Flush() error                           { return nil }
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
	collect := func(resume *run.Resume, cases ...*rubric.Case) (records []*run.Record, events []string, failed error) {
		for e, err := range resume.Run(t.Context(), r, suite, slices.Values(cases), len(cases)) {
			if err != nil {
				return records, events, err
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
	asked = nil
	_, events, err := collect(resume, suite.Cases...)
	want := []string{"done true pass", "open false pass", "gone false pass", "new false pass"}
	if err != nil || !slices.Equal(events, want) {
		t.Errorf("%q, %v; want %q", events, err, want)
	}
	if want := []string{"gone", "new"}; !slices.Equal(asked, want) {
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
	store.readErr = errors.New("unreadable")
	if records, _, err := collect(resume, suite.Cases...); err != store.readErr || len(records) > 0 {
		t.Errorf("%d records, %v", len(records), err)
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
