package grade_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

func call(tool string, input any, ms float64) grade.ToolCall {
	return grade.ToolCall{Tool: tool, Input: input, DurationMS: &ms}
}

func step(tool string, args map[string]any) rubric.ToolStep {
	return rubric.ToolStep{Tool: tool, Args: args}
}

func within(tool string, ms float64) rubric.ToolStep {
	return rubric.ToolStep{Tool: tool, MaxDurationMS: &ms}
}

// least wants tools called this often, in any order.
func least(counts map[string]float64) rubric.Trajectory {
	steps := rubric.Trajectory{Mode: "any_order"}
	for tool, n := range counts {
		steps.Minimums = append(steps.Minimums, rubric.Minimum{Tool: tool, Count: n})
	}
	return steps
}

func inOrder(steps ...rubric.ToolStep) rubric.Trajectory {
	return rubric.Trajectory{Mode: "in_order", Expected: steps}
}

func exact(steps ...rubric.ToolStep) rubric.Trajectory {
	return rubric.Trajectory{Mode: "exact", Expected: steps}
}

func TestTrajectory(t *testing.T) {
	type args = map[string]any
	trace := []grade.ToolCall{
		call("search", args{"q": "x", "n": 1.0, "in": []any{"a", "b"}, "page": args{"of": 2.0}}, 50), call("open", nil, 200), call("search", nil, 10),
	}
	type counts = map[string]float64
	for _, c := range []struct {
		name         string
		steps        rubric.Trajectory
		spec, agentv float64
	}{
		{"often enough", least(counts{"search": 2, "open": 1}), 1, 1},
		{"half often enough", least(counts{"search": 3, "open": 1}), 0.5, 0.5},
		{"a tool that need not be called", least(counts{"write": 0}), 1, 1},
		{"nothing asked for", least(nil), 1, 1},
		{"in order with others between", inOrder(step("search", nil), step("search", nil)), 1, 1},
		{"out of order", inOrder(step("open", nil), step("open", nil)), 0.5, 0.5},
		{"a missing tool uses up the rest", inOrder(step("search", nil), step("write", nil), step("open", nil)), 1.0 / 3, 1.0 / 3},
		{"some of the arguments", inOrder(step("search", args{"q": "x"})), 1, 1},
		{"numbers are numbers", inOrder(step("search", args{"n": 1})), 1, 1},
		{"a number is no text", inOrder(step("search", args{"n": "1"})), 0, 0},
		{"deep arguments", inOrder(step("search", args{"in": []any{"a", "b"}, "page": args{"of": 2}})), 1, 1},
		{"the order of a list", inOrder(step("search", args{"in": []any{"b", "a"}})), 0, 0},
		{"part of a list", inOrder(step("search", args{"in": []any{"a"}})), 0, 0},
		{"part of an argument", inOrder(step("search", args{"page": args{}})), 0, 0},
		{"other arguments use up the call", inOrder(step("search", args{"q": "y"}), step("search", nil)), 0.5, 0.5},
		{"arguments of a call without", inOrder(step("open", args{"path": "x"})), 0, 0},
		{"exact", exact(step("search", nil), step("open", nil), step("search", nil)), 1, 1},
		{"exact, another tool", exact(step("search", nil), step("search", nil), step("search", nil)), 2.0 / 3, 2.0 / 3},
		{"exact, one more", exact(step("search", nil), step("open", nil)), 2.0 / 3, 1},
		{"exact, one less", exact(step("search", nil), step("open", nil), step("search", nil), step("open", nil)), 0.75, 0.75},
		{"exact, none wanted", exact(), 0, 1},
		{"quick enough", inOrder(within("search", 50)), 1, 1},
		{"too slow", inOrder(within("open", 199)), 0.5, 0.5},
		{
			"other arguments are late as well",
			inOrder(rubric.ToolStep{Tool: "search", Args: args{"q": "y"}, MaxDurationMS: at(50)}, step("search", nil)), 1.0 / 3, 1.0 / 3,
		},
		{"missing is late as well", inOrder(step("search", nil), within("write", 100)), 1.0 / 3, 1.0 / 3},
		{"an unknown mode", rubric.Trajectory{Mode: "sideways"}, 0, 0},
	} {
		g := &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &c.steps}
		sub := grade.Submission{ToolCalls: trace}
		if r := graded(t, score.Spec, &rubric.Case{}, g, sub); number(r) != c.spec {
			t.Errorf("%s: %v, want %v: %v %v", c.name, number(r), c.spec, r.Hits, r.Misses)
		}
		if r := graded(t, score.AgentV, &rubric.Case{}, g, sub); number(r) != c.agentv {
			t.Errorf("%s, to the reference: %v, want %v: %v %v", c.name, number(r), c.agentv, r.Hits, r.Misses)
		}
	}
}

// TestTrajectoryLines: findings name steps and calls by their places, from 1.
func TestTrajectoryLines(t *testing.T) {
	type args = map[string]any
	trace := []grade.ToolCall{call("search", args{"q": "x"}, 50), call("open", nil, 200), call("close", nil, 10)}
	of := func(mode string, steps ...rubric.ToolStep) rubric.Trajectory {
		return rubric.Trajectory{Mode: mode, Expected: steps}
	}
	for _, tt := range []struct {
		profile score.Profile
		steps   rubric.Trajectory
		want    string // hits, then misses
	}{
		{score.Spec, inOrder(step("search", args{"q": "y"}), within("open", 100), step("write", nil)), "step 2: `open` | step 1: `search` called with other arguments; step 2: `open` took 200 ms of at most 100; step 3: `write` is not called in what remains"},
		{score.Spec, exact(step("search", nil), step("write", nil)), "step 1: `search` | step 2: `write` expected, `open` called; step 3: nothing more expected, `close` called"},
		{score.AgentV, exact(step("search", nil), step("write", nil)), "step 1: `search` | 2 calls expected, 3 made; step 2: `write` expected, `open` called"},
		{score.AgentV, exact(step("search", nil), step("open", nil), step("close", nil)), "step 1: `search`; step 2: `open`; step 3: `close` | "},
		{score.Spec, exact(step("search", nil), step("open", nil), step("close", nil), step("open", nil)), "step 1: `search`; step 2: `open`; step 3: `close` | step 4: `open` expected, nothing called"},
		{score.Spec, of("superset", step("write", nil), step("read", nil), step("open", nil)), "step 3: `open` | step 1: no call of `write` matches; step 2: no call of `read` matches"},
		{score.Spec, of("subset", step("close", nil)), "call 3: `close` | call 1: `search` is not one of the expected calls; call 2: `open` is not one of the expected calls"},
	} {
		r := graded(t, tt.profile, &rubric.Case{}, &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &tt.steps}, grade.Submission{ToolCalls: trace})
		if got := strings.Join(r.Hits, "; ") + " | " + strings.Join(r.Misses, "; "); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.profile, tt.steps.Mode, got, tt.want)
		}
	}
}

// TestTrajectorySources: calls are taken from wherever they are known, and
// where they are not, nothing is judged.
func TestTrajectorySources(t *testing.T) {
	none, three := 0, 3
	wants := func(mode string) *rubric.Grader {
		steps := &rubric.Trajectory{Mode: mode, Minimums: []rubric.Minimum{{Tool: "search", Count: 1}}}
		if mode != "any_order" {
			steps.Expected = []rubric.ToolStep{step("search", nil)}
		}
		return &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: steps}
	}
	messages := []rubric.Message{
		{Role: "assistant", Content: "hm"},
		{Role: "assistant", ToolCalls: []any{map[string]any{"tool": "search", "input": map[string]any{"q": "x"}}}},
		{Role: "assistant", ToolCalls: "not a list"},
	}
	for _, c := range []struct {
		name     string
		sub      grade.Submission
		mode     string
		score    float64
		ungraded string
	}{
		{"messages", grade.Submission{Messages: messages}, "exact", 1, ""},
		{"counts", grade.Submission{Trace: &grade.Trace{ToolCallsByName: map[string]int{"search": 2}}}, "any_order", 1, ""},
		{"counts without an order", grade.Submission{Trace: &grade.Trace{ToolCallsByName: map[string]int{"search": 2}}}, "exact", 0, "without their order"},
		{"no calls", grade.Submission{Trace: &grade.Trace{EventCount: &none}}, "exact", 0, ""},
		{"a number of calls", grade.Submission{Trace: &grade.Trace{EventCount: &three}}, "any_order", 0, "tool calls not known"},
		{"a trace of other things", grade.Submission{Trace: &grade.Trace{CostUSD: at(1)}}, "any_order", 0, "tool calls not known"},
		{"nothing", grade.Submission{Answer: "hi"}, "in_order", 0, "tool calls not known"},
	} {
		r := graded(t, score.Spec, &rubric.Case{}, wants(c.mode), c.sub)
		if number(r) != c.score || (c.ungraded == "") != (r.Ungraded == "") || !strings.Contains(r.Ungraded, c.ungraded) {
			t.Errorf("%s: %v, ungraded %q, misses %q", c.name, number(r), r.Ungraded, r.Misses)
		}
		if a := graded(t, score.AgentV, &rubric.Case{}, wants(c.mode), c.sub); number(a) != c.score || a.Ungraded != "" {
			t.Errorf("%s, to the reference: %v, ungraded %q", c.name, number(a), a.Ungraded)
		}
	}
	late := grade.Submission{ToolCalls: []grade.ToolCall{{Tool: "search"}}}
	g := &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &rubric.Trajectory{Mode: "in_order", Expected: []rubric.ToolStep{within("search", 1)}}}
	if r := graded(t, score.Spec, &rubric.Case{}, g, late); number(r) != 1 || len(r.Hits) != 1 {
		t.Errorf("a time that is not known is left out: %+v", r)
	}
}

// TestTrajectoryOfRelease4: superset and subset do not mind the order, and
// arguments are compared in the way that the step says.
func TestTrajectoryOfRelease4(t *testing.T) {
	type args = map[string]any
	trace := []grade.ToolCall{call("search", args{"q": "x", "page": args{"of": 2.0, "n": 1.0}}, 50), call("open", args{"path": "a"}, 200), call("open", nil, 10)}
	with := func(match rubric.ArgsMatch, tool string, wanted args, fields ...string) rubric.ToolStep {
		return rubric.ToolStep{Tool: tool, Args: wanted, ArgsMatch: match, ArgsFields: fields}
	}
	of := func(mode string, steps ...rubric.ToolStep) rubric.Trajectory {
		return rubric.Trajectory{Mode: mode, Expected: steps}
	}
	all, path := args{"q": "x", "page": args{"of": 2, "n": 1}}, args{"path": "a"}
	for _, c := range []struct {
		name       string
		steps      rubric.Trajectory
		spec, four float64
	}{
		{"all arguments", inOrder(with(rubric.ArgsExact, "search", all)), 1, 1},
		{"not all of them", inOrder(with(rubric.ArgsExact, "search", args{"q": "x"})), 0, 0},
		{"none of them", inOrder(with(rubric.ArgsExact, "search", args{})), 0, 0},
		{"no arguments where none are given", inOrder(with(rubric.ArgsExact, "open", args{})), 0, 0},
		{"some of them", inOrder(with(rubric.ArgsSuperset, "search", args{"q": "x"})), 1, 1},
		{"no others", inOrder(with(rubric.ArgsSubset, "search", args{"q": "x", "page": args{"of": 2, "n": 1}, "more": true})), 1, 1},
		{"one other", inOrder(with(rubric.ArgsSubset, "search", args{"q": "x"})), 0, 0},
		{"whatever they are", inOrder(with(rubric.ArgsIgnore, "search", args{"q": "y"})), 1, 1},
		{"listed ones", inOrder(with(rubric.ArgsListed, "search", args{"q": "y", "page": args{"of": 2}}, "page.of")), 1, 1},
		{"listed ones that differ", inOrder(with(rubric.ArgsListed, "search", args{"q": "y"}, "q")), 0, 0},
		{"a listed one that the call lacks", inOrder(with(rubric.ArgsListed, "search", args{"z": 1}, "z")), 0, 0},
		{"a superset in another order", of("superset", step("open", nil), step("search", nil)), 1, 1},
		{"a superset uses each call once", of("superset", step("search", nil), step("search", nil)), 0.5, 0.5},
		{"a superset of calls that match", of("superset", with(rubric.ArgsExact, "open", path), with(rubric.ArgsExact, "open", path)), 0.5, 0.5},
		{"a superset in time", of("superset", within("open", 100)), 0.5, 1},
		{"a superset of nothing", of("superset"), 1, 1},
		{"a subset", of("subset", step("search", nil), step("open", nil)), 1, 1},
		{"a subset but for some calls", of("subset", step("search", nil), with(rubric.ArgsExact, "open", path)), 2.0 / 3, 2.0 / 3},
		{"a subset in time", of("subset", step("search", nil), within("open", 100)), 0.8, 1},
		{"a subset of nothing", of("subset"), 0, 0},
	} {
		g := &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &c.steps}
		for profile, want := range map[score.Profile]float64{score.Spec: c.spec, score.AgentV4: c.four} {
			if r := graded(t, profile, &rubric.Case{}, g, grade.Submission{ToolCalls: trace}); number(r) != want || r.Ungraded != "" {
				t.Errorf("%s, %s: %v, want %v: %v %v %q", c.name, profile, number(r), want, r.Hits, r.Misses, r.Ungraded)
			}
		}
	}
	typo := inOrder(with(rubric.ArgsListed, "search", args{"q": "x"}, "querry", "q"))
	out := grade.Grade(t.Context(), grade.Ports{}, &rubric.Case{}, &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &typo}, grade.Submission{ToolCalls: trace})
	if want := "step 1: `args_match` lists `querry`, which its `args` lack; it is not compared"; len(out.Problems) != 1 || out.Problems[0] != want {
		t.Errorf("a listed argument that the step lacks: %q", out.Problems)
	}
	nothing := of("subset", step("search", nil))
	silent := grade.Submission{Messages: []rubric.Message{{Role: "assistant", Content: "hi"}}}
	if r := graded(t, score.AgentV4, &rubric.Case{}, &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &nothing}, grade.Submission{Answer: "hi"}); number(r) != 0 || len(r.Hits) > 0 {
		t.Errorf("an answer without messages: %+v", r)
	}
	for profile, want := range map[score.Profile]string{score.Spec: "tool calls not known: the target does not report it", score.AgentV4: ""} {
		r := graded(t, profile, &rubric.Case{}, &rubric.Grader{Kind: rubric.ToolTrajectory, Steps: &nothing}, silent)
		if r.Ungraded != want || (number(r) == 1) != (want == "") {
			t.Errorf("messages without calls, %s: %v, ungraded %q", profile, number(r), r.Ungraded)
		}
	}
}
