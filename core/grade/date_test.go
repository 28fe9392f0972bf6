package grade_test

import (
	"cmp"
	"strings"
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
		{[]any{1.0, 2.0}, nil, "2001-01-02"}, {map[string]any{}, nil, ""}, {"20250115", nil, ""}, {"300000", nil, ""}, {"99", nil, "1999-01-01"},
		{"12/11/2025", []string{"DD/MM/YYYY"}, "2025-12-11"}, {"15/01/2025", nil, "2025-01-15"}, {"15/01/2025", []string{"MM/DD/YYYY"}, ""},
		{"31/02/2025", []string{"DD/MM/YYYY"}, "2025-03-03"}, {"(draft) 2025-01-15", nil, "2025-01-15"}, {"2025-01-15 of", nil, ""},
		{"45-January-2025", nil, "2025-02-14"}, {"45-Jan-2025", nil, "2025-02-14"}, {"15-Nix-2025", nil, ""}, {"12/0/2025", nil, "2025-11-30"}, {"0/31/2025", nil, "2024-12-31"},
		{"13/13/2025", nil, ""}, {"12/32/2025", nil, ""}, {"13/12/2025", nil, "2025-12-13"}, {"01/13/2025", []string{"DD/MM/YYYY"}, "2025-01-13"},
		{"0/5/2025", []string{"DD/MM/YYYY"}, ""}, {"5/0/2025", []string{"DD/MM/YYYY"}, ""}, {"13/12/2025", []string{"DD/MM/YYYY"}, "2025-12-13"}, {"13/13/2025", []string{"DD/MM/YYYY"}, ""},
		{"Jan 15 49", nil, "2049-01-15"}, {"Jan 15 50", nil, "1950-01-15"}, {"Jan 15 99", nil, "1999-01-15"}, {"Jan 15 100", nil, "0100-01-15"},
		{"Jan 15 2025 12:00 PM", nil, "2025-01-15"}, {"Jan 15 2025 13:00 PM", nil, ""}, {"Jan 15 2025 13:00 AM", nil, ""}, {"Jan 15 2025 10:60", nil, "2025-01-15"}, {"1/15/2025 10:60", nil, ""}, {"Jan 15 2025 10:60:00", nil, ""}, {"Jan 15 2025 10:59:59", nil, "2025-01-15"},
		{"Jan 15 2025 10:00:60", nil, "2025-01-15"}, {"Jan 15 2025 10:00 11:00", nil, ""}, {"Jan 15 2025 24:00", nil, "2025-01-16"}, {"Jan 15 2025 24:01", nil, ""}, {"Jan 15 2025 24:00:01", nil, ""}, {"2025-01-15T24:00:01", nil, ""}, {"Jan 15 2025 10:60:60", nil, ""}, {"10:60 Jan 15 2025", nil, ""},
		{"Jan 15 2025 23:40 -0030", nil, "2025-01-16"}, {"Jan 15 2025 00:20 +0030", nil, "2025-01-14"}, {"Jan 15 2025 22:30 -0130", nil, "2025-01-16"}, {"Jan 15 2025 01:30 +0200", nil, "2025-01-14"},
		{"Jan 15 2025 20:00 EDT", nil, "2025-01-16"}, {"Jan 15 2025 19:00 CDT", nil, "2025-01-16"}, {"Jan 15 2025 18:00 CST", nil, "2025-01-16"}, {"Jan 15 2025 18:00 MDT", nil, "2025-01-16"},
		{"Jan 15 2025 17:00 MST", nil, "2025-01-16"}, {"Jan 15 2025 17:00 PDT", nil, "2025-01-16"}, {"Jan 15 2025 16:00 PST", nil, "2025-01-16"},
		{"Jan 31 2025", nil, "2025-01-31"}, {"Jan 32 2025", nil, ""}, {"Jan5 2025", nil, "2025-01-05"}, {"on Jan 5 2025", nil, "2025-01-05"}, {"x5 Jan 2025", nil, ""}, {"x05 Jan 2025", nil, ""}, {"x9 Jan 2025", nil, ""}, {"Jan 15 275760", nil, "275760-01-15"},
	} {
		g := &rubric.Grader{Kind: rubric.FieldAccuracy, Weight: 1, Fields: []rubric.Field{{Path: "d", Match: "date", Weight: 1, Required: true, Formats: c.formats}}}
		kase := &rubric.Case{Expected: []rubric.Message{{Role: "assistant", Content: map[string]any{"d": c.value}}}}
		r := graded(t, score.AgentV4, kase, g, grade.Submission{Answer: `{"d": "` + cmp.Or(c.day, "2025-01-15") + `"}`})
		isNoDate := strings.HasSuffix(strings.Join(r.Misses, "; "), "which is not a date in a known format")
		if (number(r) == 1) != (c.day != "") || isNoDate != (c.day == "") {
			t.Errorf("%v %v: %v %v, want the day %q", c.value, c.formats, r.Hits, r.Misses, c.day)
		}
	}
}
