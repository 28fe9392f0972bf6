package metric

import (
	"context"
	"fmt"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// measureTrajectory is 1 for a turn whose tool calls match the expected ones in
// the way asked for, else 0.
func measureTrajectory(_ context.Context, e evaluation, t turn) (InvocationResult, error) {
	comparer := callComparer{withArgs: !e.criterion.IgnoreArgs || e.isV2()}
	missed := comparer.compare(e.criterion.Match, t.actual.Calls(), t.expected.Calls())
	if missed == "" {
		return InvocationResult{Score: number(1)}, nil
	}
	return InvocationResult{Score: number(0), Reason: missed}, nil
}

// callComparer compares lists of calls, by name or with their arguments.
type callComparer struct{ withArgs bool }

// compare says in what the actual calls fall short; "" if they do not.
func (c callComparer) compare(m Match, actual, expected []ToolCall) string {
	switch m {
	case InOrder:
		return c.compareInOrder(actual, expected)
	case AnyOrder:
		return c.compareAnyOrder(actual, expected)
	}
	return c.compareExact(actual, expected)
}

func (c callComparer) isSame(a, b ToolCall) bool {
	return a.Name == b.Name && (!c.withArgs || sameArgs(a.Args, b.Args))
}

func (c callComparer) compareExact(actual, expected []ToolCall) string {
	if len(actual) != len(expected) {
		return fmt.Sprintf("%d tool calls instead of %d", len(actual), len(expected))
	}
	for i, want := range expected {
		if !c.isSame(actual[i], want) {
			return fmt.Sprintf("call %d is %s instead of %s", i+1, c.format(actual[i]), c.format(want))
		}
	}
	return ""
}

func (c callComparer) compareInOrder(actual, expected []ToolCall) string {
	found := 0
	for _, call := range actual {
		if found < len(expected) && c.isSame(call, expected[found]) {
			found++
		}
	}
	if found < len(expected) {
		return fmt.Sprintf("expected call %d, %s, is not made after those before it", found+1, c.format(expected[found]))
	}
	return ""
}

func (c callComparer) compareAnyOrder(actual, expected []ToolCall) string {
	left := map[string]int{}
	for _, call := range actual {
		left[c.callKey(call)]++
	}
	for _, want := range expected {
		key := c.callKey(want)
		if left[key] == 0 {
			return fmt.Sprintf("no %s, or not often enough", c.format(want))
		}
		left[key]--
	}
	return ""
}

func (c callComparer) callKey(call ToolCall) string {
	if !c.withArgs {
		return call.Name
	}
	return call.Name + "\x00" + argsFingerprint(call.Args)
}

// format is a call as a sentence can name it.
func (c callComparer) format(call ToolCall) string {
	text := call.Name
	if c.withArgs && call.Args != nil {
		text += argsFingerprint(call.Args)
	}
	return "`" + excerpt.Shorten(text, maxQuoted) + "`"
}
