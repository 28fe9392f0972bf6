package metric_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/metric"
)

// calls reads names with arguments.
func calls(t *testing.T, list string) []metric.ToolCall {
	t.Helper()
	var all []metric.ToolCall
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTrajectory(t *testing.T) {
	ab := `[{"name":"a","args":{}},{"name":"b","args":{}}]`
	for _, c := range []struct {
		name             string
		match            metric.Match
		ignore           bool
		actual, expected string
		reason           string // "" for a match
	}{
		{"the same", metric.Exact, false, ab, ab, ""},
		{"ids do not count", metric.Exact, false, `[{"id":"1","name":"a"}]`, `[{"id":"2","name":"a"}]`, ""},
		{"one more", metric.Exact, false, ab, `[{"name":"a","args":{}}]`, "2 tool calls instead of 1"},
		{"another name", metric.Exact, false, `[{"name":"a"}]`, `[{"name":"b"}]`, "call 1 is `a` instead of `b`"},
		{"keys in another order", metric.Exact, false, `[{"name":"a","args":{"x":1,"y":{"p":2,"q":null}}}]`, `[{"name":"a","args":{"y":{"q":null,"p":2},"x":1.0}}]`, ""},
		{"a list in another order", metric.Exact, false, `[{"name":"a","args":{"x":[1,2]}}]`, `[{"name":"a","args":{"x":[2,1]}}]`, "call 1 is `a{\"x\": [1, 2]}` instead of `a{\"x\": [2, 1]}`"},
		{"true is 1", metric.Exact, false, `[{"name":"a","args":{"x":true,"y":false}}]`, `[{"name":"a","args":{"x":1,"y":0.0}}]`, ""},
		{"a number is no text", metric.Exact, false, `[{"name":"a","args":{"x":"1"}}]`, `[{"name":"a","args":{"x":1}}]`, "call 1 is `a{\"x\": \"1\"}` instead of `a{\"x\": 1}`"},
		{"null is no text", metric.Exact, false, `[{"name":"a","args":{"x":"null"}}]`, `[{"name":"a","args":{"x":null}}]`, "call 1 is `a{\"x\": \"null\"}` instead of `a{\"x\": null}`"},
		{"missing is not empty", metric.Exact, false, `[{"name":"a"}]`, `[{"name":"a","args":{}}]`, "call 1 is `a` instead of `a{}`"},
		{"names alone", metric.Exact, true, `[{"name":"a","args":{"x":1}}]`, `[{"name":"a"}]`, ""},
		{"others between", metric.InOrder, false, `[{"name":"x"},{"name":"a"},{"name":"x"},{"name":"b"}]`, `[{"name":"a"},{"name":"b"}]`, ""},
		{"the wrong order", metric.InOrder, false, `[{"name":"b"},{"name":"a"}]`, `[{"name":"a"},{"name":"b"}]`, "expected call 2, `b`, is not made after those before it"},
		{"any order", metric.AnyOrder, false, `[{"name":"b"},{"name":"a"}]`, `[{"name":"a"},{"name":"b"}]`, ""},
		{"not twice", metric.AnyOrder, false, `[{"name":"a"},{"name":"b"}]`, `[{"name":"a"},{"name":"a"}]`, "no `a`, or not often enough"},
		{"any order by name", metric.AnyOrder, true, `[{"name":"a","args":{"x":2}}]`, `[{"name":"a","args":{"x":1}}]`, ""},
		{"none is asked for", metric.AnyOrder, false, ab, `[]`, ""},
	} {
		criterion := metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1, Match: c.match, IgnoreArgs: c.ignore}
		actual, expected := metric.Invocation{ToolUses: calls(t, c.actual)}, metric.Invocation{ToolUses: calls(t, c.expected)}
		r := metric.Evaluate(t.Context(), metric.Ports{}, criterion, against(actual, expected))
		if i := r.Invocations[0]; i.Reason != c.reason || (c.reason == "") != (r.Status == metric.Passed) {
			t.Errorf("%s: %s: %q, want %q", c.name, r.Status, i.Reason, c.reason)
		}
	}
}

// TestNumbersOfAllKinds: a number is the same whatever Go type holds it.
func TestNumbersOfAllKinds(t *testing.T) {
	same := []any{1, int64(1), uint64(1), 1.0, true, json.Number("1"), json.Number("1.0"), json.Number("1e0")}
	other := []any{2, -1, 1.5, "1", nil, json.Number("10"), []any{1}, map[string]any{"1": 1}, int64(9007199254740993), 9007199254740992.0, struct{}{}}
	measure := func(a, b any) metric.Status {
		in := func(v any) metric.Invocation {
			return metric.Invocation{ToolUses: []metric.ToolCall{{Name: "t", Args: map[string]any{"x": v}}}}
		}
		return metric.Evaluate(t.Context(), metric.Ports{}, metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1}, against(in(a), in(b))).Status
	}
	for _, a := range same {
		for _, b := range same {
			if measure(a, b) != metric.Passed {
				t.Errorf("%T %v is not %T %v", a, a, b, b)
			}
		}
		for i, b := range other {
			if measure(a, b) != metric.Failed {
				t.Errorf("%T %v is %T %v", a, a, b, b)
			}
			for _, c := range other[:i] {
				if measure(b, c) != metric.Failed {
					t.Errorf("%T %v is %T %v", b, b, c, c)
				}
			}
		}
	}
}

func TestEventsCallToo(t *testing.T) {
	called := metric.Invocation{Events: []metric.Event{
		{Content: nil},
		{Content: &metric.Content{Parts: []metric.Part{{Text: "Looking."}, {Call: &metric.ToolCall{Name: "a"}}}}},
		{Content: &metric.Content{Parts: []metric.Part{{Call: &metric.ToolCall{Name: "b"}}}}},
	}}
	listed := metric.Invocation{ToolUses: []metric.ToolCall{{Name: "a"}, {Name: "b"}}}
	r := metric.Evaluate(t.Context(), metric.Ports{}, metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1}, against(called, listed))
	if r.Status != metric.Passed {
		t.Errorf("%s: %s", r.Status, r.Invocations[0].Reason)
	}
}

// TestTolerance: what the options of our own forgive, and the score that partial credit gives.
func TestTolerance(t *testing.T) {
	args := func(list ...string) string {
		var all []string
		for _, a := range list {
			all = append(all, `{"name":"a","args":{`+a+`}}`)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	partial := metric.Tolerance{PartialCredit: true}
	for _, c := range []struct {
		name             string
		match            metric.Match
		tolerance        metric.Tolerance
		actual, expected string
		score            string
	}{
		{"an argument that does not count", metric.Exact, metric.Tolerance{IgnoredArgs: []string{"at"}}, args(`"x":1,"at":"noon"`), args(`"x":1`), "1"},
		{"another argument", metric.Exact, metric.Tolerance{IgnoredArgs: []string{"at"}}, args(`"x":1,"on":"noon"`), args(`"x":1`), "0"},
		{"any value", metric.Exact, metric.Tolerance{Wildcard: "*"}, args(`"x":{"y":[1]},"z":"a"`), args(`"x":"*","z":"a"`), "1"},
		{"any value deep inside", metric.InOrder, metric.Tolerance{Wildcard: "*"}, args(`"x":[{"y":1}]`), args(`"x":[{"y":"*"}]`), "1"},
		{"no value", metric.Exact, metric.Tolerance{Wildcard: "*"}, args(``), args(`"x":"*"`), "0"},
		{"only the expected call has wildcards", metric.Exact, metric.Tolerance{Wildcard: "*"}, args(`"x":"*"`), args(`"x":1`), "0"},
		{"near numbers", metric.AnyOrder, metric.Tolerance{Number: 0.1}, args(`"x":0.3`), args(`"x":0.2`), "1"},
		{"too far numbers", metric.AnyOrder, metric.Tolerance{Number: 0.1}, args(`"x":0.31`), args(`"x":0.2`), "0"},
		{"text is no number", metric.Exact, metric.Tolerance{Number: 5}, args(`"x":"1"`), args(`"x":1`), "0"},
		{"nothing is forgiven", metric.Exact, metric.Tolerance{}, args(`"x":"a"`), args(`"x":"*"`), "0"},
		{"one of two, exactly", metric.Exact, partial, args(`"x":1`, `"x":3`, `"x":4`), args(`"x":1`, `"x":2`), "0.4"},
		{"one of two in order", metric.InOrder, partial, args(`"x":2`, `"x":1`), args(`"x":1`, `"x":2`), "0.5"},
		{"two of three in order", metric.InOrder, partial, args(`"x":2`, `"x":3`), args(`"x":1`, `"x":2`, `"x":3`), "0.666667"},
		{"all in any order", metric.AnyOrder, partial, args(`"x":2`, `"x":1`), args(`"x":1`, `"x":2`), "1"},
		{"none is made", metric.Exact, partial, `[]`, args(`"x":1`), "0"},
	} {
		criterion := metric.Criterion{Metric: metric.ToolTrajectory, Threshold: 1, Match: c.match, Tolerance: c.tolerance}
		actual, expected := metric.Invocation{ToolUses: calls(t, c.actual)}, metric.Invocation{ToolUses: calls(t, c.expected)}
		r := metric.Evaluate(t.Context(), metric.Ports{}, criterion, against(actual, expected))
		if show(r.Score) != c.score || (c.score == "1") != (r.Invocations[0].Reason == "") {
			t.Errorf("%s: %s, %q, want %s", c.name, show(r.Score), r.Invocations[0].Reason, c.score)
		}
	}
}
