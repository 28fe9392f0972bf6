package run_test

import (
	"bytes"
	"errors"
	"slices"
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
		var timed, want bytes.Buffer
		untimed := rec.Untimed()
		if err := errors.Join(rec.WriteLine(&timed), untimed.WriteLine(&want)); err != nil {
			t.Fatal(err)
		}
		if got := run.UntimedLine(slices.Clone(timed.Bytes())); string(got) != want.String() {
			t.Errorf("%s\nis\n%s, want\n%s", timed.String(), got, want.String())
		}
	}
}
