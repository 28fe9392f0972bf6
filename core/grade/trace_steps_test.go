package grade_test

import (
	"strings"
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

// booking is what an agent did: three messages, two tools, a command, and one output.
var booking = grade.Submission{Answer: "Booked.", Messages: []rubric.Message{
	{Role: "user", Content: "Book it"},
	{Role: "assistant", Content: "Let me see", ToolCalls: []grade.ToolCall{
		{Tool: "find", Input: `{"day": "May 3"}`, Output: "one"},
		{Tool: "shell", Input: map[string]any{"command": []any{"ls", "", "-l"}}},
	}},
	{Role: "assistant", Name: "Clerk", Content: "Booked.", ToolCalls: []grade.ToolCall{{Tool: "book", Input: map[string]any{"day": "May 3", "who": map[string]any{"name": "Ann", "tags": []any{"a", "b"}}}}}},
}}

// TestTraceSteps checks each kind of assertion on a trace, on both sides of what it asks for.
func TestTraceSteps(t *testing.T) {
	type object = map[string]any
	const used, sequence, count, args = "trajectory:tool-used", "trajectory:tool-sequence", "trajectory:step-count", "trajectory:tool-args-match"
	for _, c := range []struct {
		name, typ string
		value     any
		score     float64
		says      string
	}{
		{"a tool", used, "find", 1, "called: `find`; not called: nothing"},
		{"a tool in other letters", used, "FIND", 1, "called: `FIND`; not called: nothing"},
		{"another tool", used, "pay", 0, "called: nothing; not called: `pay`"},
		{"a command is no tool", used, "shell", 0, "called: nothing; not called: `shell`"},
		{"tools", used, []any{"find", "b??k"}, 1, "called: `find`, `b??k`; not called: nothing"},
		{"one of the tools", used, []any{"find", "pay"}, 0, "called: `find`; not called: `pay`"},
		{"no tools", used, []any{}, 0, "its `value` needs a tool, a list of tools, or an object"},
		{"no text in the list", used, []any{"find", 1.0}, 0, "its `value` needs a tool, a list of tools, or an object"},
		{"a number", used, 1.0, 0, "its `value` needs a tool, a list of tools, or an object"},
		{"once", used, object{"name": "find"}, 1, "`find` called 1 times"},
		{"never", used, object{"name": "pay"}, 0, "`pay` called 0 times"},
		{"never, as at most none", used, object{"name": "pay", "min": 0.0, "max": 0.0}, 1, "`pay` called 0 times"},
		{"part of a name", used, object{"pattern": "*o*", "min": 1.0}, 1, "`*o*` called 1 times"},
		{"at least two", used, object{"pattern": "*", "min": 2.0, "max": 2.0}, 1, "`*` called 2 times"},
		{"at least three", used, object{"pattern": "*", "min": 3.0}, 0, "`*` called 2 times"},
		{"at most one", used, object{"pattern": "*", "max": 1.0}, 0, "`*` called 2 times"},
		{"a bound that is no number", used, object{"pattern": "*", "min": "many"}, 0, "`*` called 2 times"},
		{"a bound as a text", used, object{"pattern": "*", "min": " 2 "}, 1, "`*` called 2 times"},
		{"an empty name", used, object{"name": ""}, 0, "it needs the `name` or `pattern` of a tool"},
		{"a name that is no text", used, object{"name": 1.0}, 0, "its pattern is `1`, not a text"},

		{"in order", sequence, []any{"find", "book"}, 1, "all steps are called in order"},
		{"one alone", sequence, []any{"book"}, 1, "all steps are called in order"},
		{"in another order", sequence, []any{"book", "find"}, 0, "step 2: `find` is not called in what remains"},
		{"once too often", sequence, []any{"find", "find", "pay"}, 0, "step 2: `find` is not called in what remains"},
		{"exactly so", sequence, object{"mode": "exact", "steps": []any{"find", object{"name": "book"}}}, 1, "all steps are called in order"},
		{"exactly, but for the last", sequence, object{"mode": "exact", "steps": []any{"find"}}, 0, "step 1: `find` is not exactly there"},
		{"exactly, in another order", sequence, object{"mode": "exact", "steps": []any{"find", "pay"}}, 0, "step 2: `pay` is not exactly there"},
		{"not exactly", sequence, object{"steps": []any{"book"}}, 1, "all steps are called in order"},
		{"no steps", sequence, object{"steps": []any{}}, 0, "its `value` needs a list of steps"},
		{"a text for steps", sequence, "find", 0, "its `value` needs a list of steps"},
		{"a step without a name", sequence, []any{"find", object{}}, 0, "step 2: it needs the `name` or `pattern` of a tool"},

		{"messages", count, object{"type": "message", "min": 4.0, "max": 4.0}, 1, "4 steps match"}, // three, and the answer
		{"too few messages", count, object{"type": "message", "min": 5.0}, 0, "4 steps match"},
		{"too many messages", count, object{"type": "message", "max": 3.0}, 0, "4 steps match"},
		{"a message by its name", count, object{"name": "clerk", "min": 1.0, "max": 1.0}, 1, "1 steps match"},
		{"the answer", count, object{"name": "final_response", "min": 1.0, "max": 1.0}, 1, "1 steps match"},
		{"outputs", count, object{"type": []any{"span"}, "min": 1.0, "max": 1.0}, 1, "1 steps match"},
		{"tools and commands", count, object{"type": []any{"tool", "command"}, "min": 3.0, "max": 3.0}, 1, "3 steps match"},
		{"a command by its line", count, object{"pattern": "ls -?", "min": 1.0, "max": 1.0}, 1, "1 steps match"},
		{"a command by its program", count, object{"pattern": "ls", "min": 1.0}, 1, "1 steps match"},
		{"all steps", count, object{"type": "", "max": 8.0}, 1, "8 steps match"},
		{"no bound", count, object{"type": "message"}, 0, "its `value` needs an object with a `min` or a `max`"},
		{"no object", count, 3.0, 0, "its `value` needs an object with a `min` or a `max`"},

		{"arguments in a text", args, object{"name": "find", "args": object{"day": "May 3"}}, 1, "`find` is called with these arguments"},
		{"arguments of another call", args, object{"name": "find", "args": object{"who": object{}}}, 0, "no call of `find` has these arguments"},
		{"arguments within arguments", args, object{"name": "book", "arguments": object{"who": object{"name": "Ann"}}}, 1, "`book` is called with these arguments"},
		{"a list", args, object{"name": "book", "args": object{"who": object{"tags": []any{"a", "b"}}}}, 1, "`book` is called with these arguments"},
		{"a part of a list", args, object{"name": "book", "args": object{"who": object{"tags": []any{"a"}}}}, 0, "no call of `book` has these arguments"},
		{"a list for an object", args, object{"name": "book", "args": object{"who": []any{}}}, 0, "no call of `book` has these arguments"},
		{"an object for a list", args, object{"name": "book", "args": object{"who": object{"tags": object{}}}}, 0, "no call of `book` has these arguments"},
		{"exactly some", args, object{"name": "book", "mode": "exact", "args": object{"day": "May 3"}}, 0, "no call of `book` has these arguments"},
		{"exactly, with a default", args, object{"name": "find", "mode": "exact", "args": object{}, "defaults": object{"day": "May 3"}}, 1, "`find` is called with these arguments"},
		{"exactly, with another default", args, object{"name": "find", "mode": "exact", "args": object{}, "defaults": object{"day": "May 4"}}, 0, "no call of `find` has these arguments"},
		{"in part", args, object{"name": "book", "mode": "partial", "args": object{"day": "May 3"}}, 1, "`book` is called with these arguments"},
		{"no mode", args, object{"name": "book", "mode": nil, "args": object{"day": "May 3"}}, 1, "`book` is called with these arguments"},
		{"an ignored key", args, object{"name": "find", "args": object{"day": "May 9"}, "ignore": []any{"day"}}, 1, "`find` is called with these arguments"},
		{"another pattern to ignore", args, object{"name": "find", "args": object{"day": "May 9"}, "ignore": "z*"}, 0, "no call of `find` has these arguments"},
		{"an argument that is null for one that is absent", args, object{"name": "find", "args": object{"seat": nil}}, 0, "no call of `find` has these arguments"},
		{"another ignored key", args, object{"name": "find", "args": object{"day": "May 9"}, "ignore": []any{"da"}}, 0, "no call of `find` has these arguments"},
		{"another mode", args, object{"name": "book", "mode": "all", "args": object{}}, 0, "its `mode` is neither `partial` nor `exact`"},
		{"defaults as a list", args, object{"name": "book", "args": object{}, "defaults": []any{}}, 0, "its `defaults` are not an object"},
		{"an empty key to ignore", args, object{"name": "book", "args": object{}, "ignore": []any{"day", " "}}, 0, "its `ignore` holds something else than keys"},
	} {
		g := assertion(c.typ, c.value, "")
		g.Kind = rubric.TraceSteps
		r := graded(t, score.AgentVHead, &rubric.Case{}, g, booking)
		if says := append(r.Hits, r.Misses...); number(r) != c.score || len(says) != 1 || says[0] != c.says {
			t.Errorf("%s: %v %q, want %v %q", c.name, number(r), says, c.score, c.says)
		}
	}
}

// TestStepsOfAConversation: the case's messages come first if the target reports only its own, and a
// conversation without an answer has no final response.
func TestStepsOfAConversation(t *testing.T) {
	message := func(role string) rubric.Message { return rubric.Message{Role: role, Content: "x"} }
	input := []rubric.Message{message("system"), message("user")}
	for _, c := range []struct {
		name            string
		reported        []rubric.Message
		messages, final float64
	}{
		{"its own message", []rubric.Message{message("assistant")}, 4, 1},
		{"the question too", []rubric.Message{message("user"), message("assistant")}, 3, 1},
		{"the instructions too", []rubric.Message{message("system"), message("assistant")}, 3, 1},
		{"no answer", []rubric.Message{message("user")}, 1, 0},
	} {
		for value, want := range map[string]float64{"message": c.messages, "final_response": c.final} {
			g := assertion("trajectory:step-count", map[string]any{"name": value, "min": want, "max": want}, "")
			g.Kind = rubric.TraceSteps
			r := graded(t, score.AgentVHead, &rubric.Case{Input: input}, g, grade.Submission{Answer: "x", Messages: c.reported})
			if number(r) != 1 {
				t.Errorf("%s: %q, want %v of %s", c.name, r.Misses, want, value)
			}
		}
	}
}

// TestGoal asks the judge whether the steps reached a goal. A forbidden goal inverts the answer.
func TestGoal(t *testing.T) {
	grader := func(value any) *rubric.Grader {
		g := assertion(rubric.GoalSuccess, value, "")
		g.Kind = rubric.TraceSteps
		return g
	}
	for _, inverse := range []bool{false, true} {
		for _, value := range []any{" A seat ", map[string]any{"goal": "A seat"}} {
			j, g := &script{replies: []string{`{"score":1}`}}, grader(value)
			g.Assert.Inverse = inverse
			r := grade.Grade(t.Context(), grade.Ports{Judge: j, Profile: score.AgentVHead}, &rubric.Case{}, g, booking).Result
			if want := map[bool]float64{false: 1, true: 0}[inverse]; number(r) != want {
				t.Errorf("%v, forbidden %v: %v, want %v", value, inverse, number(r), want)
			}
			if !strings.Contains(j.asked[0].User, "by its steps and its answer: A seat\n\nSteps:\n1. message: message\n2. message: message\n3. tool: find\n") {
				t.Errorf("asked\n%s", j.asked[0].User)
			}
		}
	}
	for _, value := range []any{"\u00a0", 3.0, nil, map[string]any{}, map[string]any{"goal": ""}} {
		if r := graded(t, score.Spec, &rubric.Case{}, grader(value), booking); r.Ungraded != "its `value` needs a goal" {
			t.Errorf("%v: %q", value, r.Ungraded)
		}
	}
}

// TestForbiddenTools fails if any of the tools is called.
func TestForbiddenTools(t *testing.T) {
	for value, want := range map[string]float64{"find": 0, "pay": 1} {
		for _, value := range []any{value, []any{value, "steal"}} {
			g := assertion("trajectory:tool-used", value, "")
			g.Kind, g.Assert.Inverse = rubric.TraceSteps, true
			if r := graded(t, score.AgentVHead, &rubric.Case{}, g, booking); number(r) != want {
				t.Errorf("%v: %v, want %v", value, number(r), want)
			}
		}
	}
}

// TestCommandLines: a call of a shell is a command, whatever form its line has.
func TestCommandLines(t *testing.T) {
	for _, c := range []struct {
		tool  string
		input any
		kind  string
		name  string
	}{
		{"shell", map[string]any{"cmd": " ls -l "}, "command", "ls -l"},
		{"Exec_Command", map[string]any{"command": "ls"}, "command", "ls"},
		{"local_shell", map[string]any{"commands": []any{"cd /", "ls"}}, "command", "cd /; ls"},
		{"shell", map[string]any{"command": []any{"ls", "-l"}}, "command", "ls -l"},
		{"shell", map[string]any{"cmd": 1.0, "command": "ls"}, "tool", "shell"},
		{"shell", map[string]any{"cmd": nil, "command": "ls"}, "command", "ls"},
		{"shell", map[string]any{"cmd": " "}, "tool", "shell"},
		{"shell", "ls", "tool", "shell"},
		{"bash", map[string]any{"cmd": "ls"}, "tool", "bash"},
	} {
		g := assertion("trajectory:step-count", map[string]any{"type": c.kind, "name": c.name, "min": 1.0}, "")
		g.Kind = rubric.TraceSteps
		sub := grade.Submission{Answer: "x", ToolCalls: []grade.ToolCall{{Tool: c.tool, Input: c.input}}}
		if r := graded(t, score.AgentVHead, &rubric.Case{}, g, sub); number(r) != 1 {
			t.Errorf("%s %v is not a %s %s: %q", c.tool, c.input, c.kind, c.name, r.Misses)
		}
	}
}
