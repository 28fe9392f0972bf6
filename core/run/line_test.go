package run_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/run"
)

// TestUntimedLine: a line without its times is the line of the record without them.
func TestUntimedLine(t *testing.T) {
	for _, rec := range []run.Record{
		{}, {EvalID: "a"}, {EvalID: "a", Timestamp: "2026-03-14T15:09:26.000Z"}, {EvalID: "a", DurationMS: new(12.5)},
		{EvalID: "a", Timestamp: "2026-03-14T15:09:26.000Z", DurationMS: new(1e-7), CandidateAnswer: "<b>\"timestamp\":\"x\", ,\"duration_ms\":7}", Error: `,"duration_ms":7}`},
		{EvalID: "a", Error: `,"duration_ms":7`},
	} {
		timed, err := rec.Line()
		if err != nil {
			t.Fatal(err)
		}
		want, err := rec.Untimed().Line()
		if err != nil {
			t.Fatal(err)
		}
		if got := run.UntimedLine(timed); string(got) != string(want) {
			t.Errorf("%s\nis\n%s, want\n%s", timed, got, want)
		}
	}
}
