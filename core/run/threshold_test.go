package run_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestThreshold: a record keeps from which score on its file has a case pass, and
// is scored again by it.
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
