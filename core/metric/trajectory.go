package metric

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
)

// measureTrajectory is 1 for a turn whose tool calls match the expected ones as the criterion asks,
// else 0.
func measureTrajectory(_ context.Context, e evaluation, t turn) (InvocationResult, error) {
	withArgs := !e.criterion.IgnoreArgs || e.isV2()
	missed := compareCalls(e.criterion.Match, callTexts(t.actual.Calls(), withArgs), callTexts(t.expected.Calls(), withArgs))
	if missed == "" {
		return InvocationResult{Score: new(1.0)}, nil
	}
	return InvocationResult{Score: new(0.0), Reason: missed}, nil
}

// callTexts returns calls as texts that are equal for calls that match: their names, which have no
// braces, or their names and arguments.
func callTexts(calls []ToolCall, withArgs bool) []string {
	texts := make([]string, len(calls))
	for i, call := range calls {
		texts[i] = call.Name
		if withArgs && call.Args != nil {
			texts[i] += fingerprint(call.Args)
		}
	}
	return texts
}

// compareCalls returns the first difference between calls, "" if they match.
func compareCalls(m Match, actual, expected []string) string {
	switch m {
	case InOrder:
		return compareInOrder(actual, expected)
	case AnyOrder:
		return compareAnyOrder(actual, expected)
	}
	if len(actual) != len(expected) {
		return fmt.Sprintf("%d tool calls instead of %d", len(actual), len(expected))
	}
	for i, want := range expected {
		if actual[i] != want {
			return fmt.Sprintf("call %d is %s instead of %s", i+1, quoteCall(actual[i]), quoteCall(want))
		}
	}
	return ""
}

func compareInOrder(actual, expected []string) string {
	found := 0
	for _, call := range actual {
		if found < len(expected) && call == expected[found] {
			found++
		}
	}
	if found < len(expected) {
		return fmt.Sprintf("expected call %d, %s, is not made after those before it", found+1, quoteCall(expected[found]))
	}
	return ""
}

func compareAnyOrder(actual, expected []string) string {
	left := map[string]int{}
	for _, call := range actual {
		left[call]++
	}
	for _, want := range expected {
		if left[want] == 0 {
			return fmt.Sprintf("no %s, or not often enough", quoteCall(want))
		}
		left[want]--
	}
	return ""
}

func quoteCall(text string) string { return "`" + excerpt.Shorten(text, maxQuoted) + "`" }

// measureParameters returns the mean over the expected calls of the share of their arguments that
// the actual call has. Calls are paired by name, in order. A missing call has no arguments. An
// expected call without arguments has all. A turn without expected calls is not evaluated.
func measureParameters(_ context.Context, _ evaluation, t turn) (InvocationResult, error) {
	expected := t.expected.Calls()
	if len(expected) == 0 {
		return InvocationResult{Reason: "no tool calls are expected"}, nil
	}
	actual := t.actual.Calls()
	sum := 0.0
	for _, want := range expected {
		for n, call := range actual {
			if call.Name == want.Name {
				sum += matchingShare(call.Args, want.Args)
				actual = actual[n+1:]
				break
			}
		}
	}
	return InvocationResult{Score: new(sum / float64(len(expected)))}, nil
}

// matchingShare returns the share of the expected arguments that are given.
func matchingShare(given, expected map[string]any) float64 {
	if len(expected) == 0 {
		return 1
	}
	n := 0
	for name, want := range expected {
		have, ok := given[name]
		if ok && fingerprint(have) == fingerprint(want) {
			n++
		}
	}
	return float64(n) / float64(len(expected))
}

// fingerprint returns the same text for exactly those values that ADK considers equal. It compares
// as Python does: the order of keys does not matter, that of lists does; 1, 1.0 and true are equal
// and "1" is not.
func fingerprint(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(v)
	case bool:
		if v {
			return "1"
		}
		return "0"
	case int, int64, uint64:
		return fmt.Sprint(v)
	case float64:
		return formatFloat(v)
	case json.Number:
		if n, ok := new(big.Int).SetString(v.String(), 10); ok {
			return n.String()
		}
		f, _ := v.Float64() // infinite beyond a double, as in Python
		return formatFloat(f)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = fingerprint(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var members []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			members = append(members, strconv.Quote(key)+": "+fingerprint(v[key]))
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return fmt.Sprintf("%T(%v)", value, value)
}

// formatFloat formats a whole number in the exact form of an integer.
func formatFloat(v float64) string {
	switch {
	case v == 0:
		return "0" // also for -0
	case v == math.Trunc(v) && !math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
