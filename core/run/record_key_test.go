package run_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestMark: a record has the mark that its run would give the case again, when it was
// made and what it came to being nothing to it, and no run that asks otherwise would.
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

// TestBrief runs tell of what is done alone, and come to the same.
func TestBrief(t *testing.T) {
	r := run.Runner{Target: answer("We refund."), Judge: reader, Workers: 3, DoneOnly: true}
	s := suite(7)
	events := 0
	for e := range r.Run(t.Context(), s, nil) {
		if e.Stage != run.Done || e.Index != events || e.Record.EvalID != s.Cases[events].ID {
			t.Errorf("event %d is %s of case %d", events, e.Stage, e.Index)
		}
		events++
	}
	if events != 7 {
		t.Errorf("%d events of 7 cases", events)
	}
}
