package grade_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestDatesOfTheReference compares days as Node 20 reads them.
func TestDatesOfTheReference(t *testing.T) {
	for _, c := range []struct {
		value   any
		formats []string
		day     string // "" for no date
	}{
		{"2025-01-15", nil, "2025-01-15"}, {"2025-01-15T23:59:00-05:00", nil, "2025-01-16"}, {"2025-01-15T24:00", nil, "2025-01-16"},
		{"2025-01-15T25:00", nil, ""}, {"2025-13-40", nil, ""}, {"2025-02-30", nil, "2025-03-02"}, {"2025-1-5", nil, "2025-01-05"},
		{"15-JAN-2025", nil, "2025-01-15"}, {"Thu, 15 Jan 2025 10:00:00 GMT+0200", nil, "2025-01-15"}, {"Jan 15, 2025 11:30 PM EST", nil, "2025-01-16"},
		{"10.5", nil, "2001-10-05"}, {10.5, nil, "2001-10-05"}, {1.0, nil, "2001-01-01"}, {"1e1", nil, ""}, {true, nil, ""}, {nil, nil, ""},
		{[]any{1.0, 2.0}, nil, "2001-01-02"}, {map[string]any{}, nil, ""}, {"20250115", nil, ""}, {"300000", nil, ""}, {"99", nil, ""},
		{"12/11/2025", []string{"DD/MM/YYYY"}, "2025-12-11"}, {"15/01/2025", nil, "2025-01-15"}, {"15/01/2025", []string{"MM/DD/YYYY"}, ""},
		{"31/02/2025", []string{"DD/MM/YYYY"}, "2025-03-03"}, {"(draft) 2025-01-15", nil, "2025-01-15"}, {"2025-01-15 of", nil, ""},
	} {
		g := &rubric.Grader{Kind: rubric.FieldAccuracy, Weight: 1, Fields: []rubric.Field{{Path: "d", Match: "date", Weight: 1, Required: true, Formats: c.formats}}}
		kase := &rubric.Case{Expected: []rubric.Message{{Role: "assistant", Content: map[string]any{"d": c.value}}}}
		want := 1.0
		if c.day == "" {
			want = 0
		}
		if r := graded(t, score.AgentV4, kase, g, grade.Submission{Answer: `{"d": "` + c.day + `"}`}); number(r) != want {
			t.Errorf("%v %v: %v %v, want the day %q", c.value, c.formats, r.Hits, r.Misses, c.day)
		}
	}
}
