package metric

import (
	"context"
	"fmt"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// measureTrajectory is 1 for a turn whose tool calls match the expected ones in
// the way asked for, else 0.
func measureTrajectory(_ context.Context, e evaluation, t turn) (InvocationResult, error) {
	j := journey{args: !e.c.IgnoreArgs || e.v2()}
	missed := j.compare(e.c.Match, t.actual.Calls(), t.expected.Calls())
	if missed == "" {
		return InvocationResult{Score: number(1)}, nil
	}
	return InvocationResult{Score: number(0), Reason: missed}, nil
}

// journey compares lists of calls, by name or with their arguments.
type journey struct{ args bool }

// compare says in what the actual calls fall short; "" if they do not.
func (j journey) compare(m Match, actual, expected []ToolCall) string {
	switch m {
	case InOrder:
		return j.inOrder(actual, expected)
	case AnyOrder:
		return j.anyOrder(actual, expected)
	}
	return j.exact(actual, expected)
}

func (j journey) same(a, b ToolCall) bool {
	return a.Name == b.Name && (!j.args || sameArgs(a.Args, b.Args))
}

func (j journey) exact(actual, expected []ToolCall) string {
	if len(actual) != len(expected) {
		return fmt.Sprintf("%d tool calls instead of %d", len(actual), len(expected))
	}
	for i, want := range expected {
		if !j.same(actual[i], want) {
			return fmt.Sprintf("call %d is %s instead of %s", i+1, j.show(actual[i]), j.show(want))
		}
	}
	return ""
}

func (j journey) inOrder(actual, expected []ToolCall) string {
	found := 0
	for _, call := range actual {
		if found < len(expected) && j.same(call, expected[found]) {
			found++
		}
	}
	if found < len(expected) {
		return fmt.Sprintf("expected call %d, %s, is not made after those before it", found+1, j.show(expected[found]))
	}
	return ""
}

func (j journey) anyOrder(actual, expected []ToolCall) string {
	left := map[string]int{}
	for _, call := range actual {
		left[j.key(call)]++
	}
	for _, want := range expected {
		key := j.key(want)
		if left[key] == 0 {
			return fmt.Sprintf("no %s, or not often enough", j.show(want))
		}
		left[key]--
	}
	return ""
}

func (j journey) key(c ToolCall) string {
	if !j.args {
		return c.Name
	}
	return c.Name + "\x00" + fingerprint(c.Args)
}

// show is a call as a sentence can name it.
func (j journey) show(c ToolCall) string {
	text := c.Name
	if j.args && c.Args != nil {
		text += fingerprint(c.Args)
	}
	return "`" + excerpt.Shorten(text, quotable) + "`"
}
