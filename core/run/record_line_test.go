package run_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
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
		untimed := rec.WithoutTimes()
		if err := errors.Join(rec.WriteLine(&timed), untimed.WriteLine(&want)); err != nil {
			t.Fatal(err)
		}
		if got := run.StripTimes(slices.Clone(timed.Bytes())); string(got) != want.String() {
			t.Errorf("%s\nis\n%s, want\n%s", timed.String(), got, want.String())
		}
	}
}

// TestWriteLine: a line keeps HTML characters as they are, ends with one newline, and
// is not written at all if JSON lacks one of its numbers.
func TestWriteLine(t *testing.T) {
	var out bytes.Buffer
	rec := run.Record{EvalID: "a", CandidateAnswer: "<b> & é \u2028\xff"}
	if err := rec.WriteLine(&out); err != nil {
		t.Fatal(err)
	}
	if line, ended := strings.CutSuffix(out.String(), "}\n"); !ended || strings.Contains(line, "\n") || !strings.Contains(line, `"<b> & é \u2028\ufffd"`) {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	rec.Score = new(math.NaN())
	if err := rec.WriteLine(&out); err == nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}
