package grade_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// TestToolArgs checks calls of tools with arguments, and the one reason why a value cannot be used.
func TestToolArgs(t *testing.T) {
	sub := grade.Submission{Answer: "Booked.", ToolCalls: []grade.ToolCall{{Tool: "book", Input: map[string]any{"day": "May 3", "seats": 2.0}}}}
	day := map[string]any{"day": "May 3"}
	for _, c := range []struct {
		name  string
		value any
		score float64
		says  string
	}{
		{"some arguments", map[string]any{"name": "book", "args": day}, 1, "`book` is called with these arguments"},
		{"exactly these", map[string]any{"name": "book", "args": day, "mode": "exact"}, 0, "no call of `book` has these arguments"},
		{"exactly these but for the ignored", map[string]any{"name": "b*", "args": day, "mode": "exact", "ignore": "seat?"}, 1, "`b*` is called with these arguments"},
		{"a text", "book", 0, "its `value` needs an object"},
		{"no name", map[string]any{"args": day}, 0, "it needs the `name` or `pattern` of a tool"},
		{"no arguments", map[string]any{"name": "book"}, 0, "its `value` needs `args`"},
	} {
		g := assertion("trajectory:tool-args-match", c.value, "")
		g.Kind = rubric.TraceSteps
		r := graded(t, score.AgentVHead, &rubric.Case{}, g, sub)
		if says := append(r.Hits, r.Misses...); number(r) != c.score || len(says) != 1 || says[0] != c.says {
			t.Errorf("%s: %v %q, want %v %q", c.name, number(r), says, c.score, c.says)
		}
	}
}
