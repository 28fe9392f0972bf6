package calibrate_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/run"
)

// TestQueue: answers near a threshold, with samples that flip or a panel that disagrees come first, and groups
// take turns.
func TestQueue(t *testing.T) {
	names := func(records []run.Record, strata func(string) string) string {
		var ids []string
		for _, it := range calibrate.Queue(records, strata) {
			ids = append(ids, it.Record.EvalID+"/"+it.Criterion.ID)
		}
		return strings.Join(ids, " ")
	}
	one := func(string) string { return "" }
	near, flips, split, gate, plain := judged("near", "x=y"), judged("flips", "x=y"), judged("split", "x=y"), judged("gate", "x=8"), judged("plain", "x=y")
	near.Score, plain.Score = new(0.75), new(1.0)
	flips.Graders[0].Grades[0].FlipRate = new(0.5)
	split.Graders[0].Grades[0].Agreement = new(0.5)
	gate.Graders[0].Criteria[0].MinScore = new(7.0)
	if got, want := names([]run.Record{plain, split, gate, near, flips}, one), "flips/x near/x gate/x split/x plain/x"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	failed := judged("failed", "x=n")
	failed.Graders[0].Criteria[0].Required = true
	if got := names([]run.Record{near, failed, failed}, one); got != "failed/x near/x" {
		t.Errorf("%s", got)
	}
	byLetter := func(id string) string { return id[:1] }
	if got := names([]run.Record{judged("a1", "x=y", "y=y"), judged("a2", "x=y"), judged("b1", "x=y")}, byLetter); got != "a1/x b1/x a1/y a2/x" {
		t.Errorf("%s", got)
	}
	turns := judged("turns", "x=y")
	turns.Graders[0].Turn = &run.TurnRecord{}
	if got := names([]run.Record{turns}, one); got != "" {
		t.Errorf("%s", got)
	}
}
