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

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
)

// measureTrajectory is 1 for a turn whose tool calls match the expected ones as the criterion asks,
// else 0, or the share of matching calls with partial credit.
func measureTrajectory(_ context.Context, e evaluation, t turn) (InvocationResult, error) {
	withArgs := !e.criterion.IgnoreArgs || e.isV2()
	c := callComparison{
		actual: t.actual.Calls(), expected: t.expected.Calls(), withArgs: withArgs, tolerance: e.criterion.Tolerance,
	}
	missed := c.firstDifference(e.criterion.Match)
	score := 0.0
	switch {
	case missed == "":
		score = 1
	case e.criterion.Tolerance.PartialCredit:
		score = c.pairedShare(e.criterion.Match)
	}
	return InvocationResult{Score: &score, Reason: missed}, nil
}

// A callComparison compares a turn's tool calls with the expected ones.
type callComparison struct {
	actual, expected []ToolCall
	withArgs         bool
	tolerance        Tolerance
}

// text returns a call as a text that is equal for calls that match: its name, which has no braces,
// or its name and arguments.
func (c *callComparison) text(call ToolCall) string {
	if c.withArgs && call.Args != nil {
		return call.Name + fingerprint(call.Args)
	}
	return call.Name
}

func (c *callComparison) matches(actual, expected int) bool {
	a, e := c.actual[actual], c.expected[expected]
	return a.Name == e.Name && (c.text(a) == c.text(e) || c.withArgs && c.tolerance.forgives(a.Args, e.Args))
}

// quote quotes the beginning of a call.
func (c *callComparison) quote(call ToolCall) string {
	return "`" + excerpt.Shorten(c.text(call), maxQuoted) + "`"
}

// firstDifference returns the first difference between the calls, "" if they match.
func (c *callComparison) firstDifference(m Match) string {
	switch m {
	case InOrder:
		found := 0
		for i := range c.actual {
			if found < len(c.expected) && c.matches(i, found) {
				found++
			}
		}
		if found < len(c.expected) {
			return fmt.Sprintf("expected call %d, %s, is not made after those before it", found+1, c.quote(c.expected[found]))
		}
	case AnyOrder:
		if missed := c.missedInAnyOrder(); len(missed) > 0 {
			return fmt.Sprintf("no %s, or not often enough", c.quote(missed[0]))
		}
	default:
		if len(c.actual) != len(c.expected) {
			return fmt.Sprintf("%s instead of %d", diag.CountNoun(len(c.actual), "tool call"), len(c.expected))
		}
		for i := range c.expected {
			if !c.matches(i, i) {
				return fmt.Sprintf("call %d is %s instead of %s", i+1, c.quote(c.actual[i]), c.quote(c.expected[i]))
			}
		}
	}
	return ""
}

// missedInAnyOrder pairs each expected call with the first actual one left that matches. It returns
// the expected calls without one.
func (c *callComparison) missedInAnyOrder() (missed []ToolCall) {
	used := make([]bool, len(c.actual))
	for want := range c.expected {
		at := 0
		for at < len(used) && (used[at] || !c.matches(at, want)) {
			at++
		}
		if at == len(used) {
			missed = append(missed, c.expected[want])
		} else {
			used[at] = true
		}
	}
	return missed
}

// pairedShare returns the share of the expected calls that are made, in order if the match asks for
// it. An exact match counts surplus calls too: it is the F1 score.
func (c *callComparison) pairedShare(m Match) float64 {
	pairs := len(c.expected) - len(c.missedInAnyOrder())
	if m != AnyOrder {
		pairs = c.longestCommonOrder()
	}
	if m == Exact {
		return 2 * float64(pairs) / float64(len(c.actual)+len(c.expected))
	}
	return float64(pairs) / float64(len(c.expected))
}

// longestCommonOrder returns how many calls can be paired without crossing.
func (c *callComparison) longestCommonOrder() int {
	row := make([]int, len(c.expected)+1)
	for i := range c.actual {
		diagonal := 0
		for k := range c.expected {
			above := row[k+1]
			row[k+1] = max(above, row[k])
			if c.matches(i, k) {
				row[k+1] = diagonal + 1
			}
			diagonal = above
		}
	}
	return row[len(c.expected)]
}

// forgives reports whether the difference between arguments does not count.
func (t Tolerance) forgives(actual, expected map[string]any) bool {
	if len(t.IgnoredArgs) == 0 && t.Wildcard == "" && t.Number == 0 {
		return false
	}
	ignored := func(name string, _ any) bool { return slices.Contains(t.IgnoredArgs, name) }
	actual, expected = maps.Clone(actual), maps.Clone(expected)
	maps.DeleteFunc(actual, ignored)
	maps.DeleteFunc(expected, ignored)
	return maps.EqualFunc(actual, expected, t.equal)
}

// equal reports whether a value is the expected one, within the tolerance.
func (t Tolerance) equal(actual, expected any) bool {
	if t.Wildcard != "" && expected == t.Wildcard {
		return true
	}
	if a, e := exactNumber(actual), exactNumber(expected); a != nil && e != nil {
		limit, _ := new(big.Rat).SetString(strconv.FormatFloat(t.Number, 'g', -1, 64)) // as written: 0.1, not the double nearest to it
		return a.Sub(a, e).Abs(a).Cmp(limit) <= 0
	}
	switch e := expected.(type) {
	case []any:
		a, isList := actual.([]any)
		return isList && slices.EqualFunc(a, e, t.equal)
	case map[string]any:
		a, isMap := actual.(map[string]any)
		return isMap && maps.EqualFunc(a, e, t.equal)
	}
	return fingerprint(actual) == fingerprint(expected)
}

// exactNumber returns the value of a number, or nil for any other value.
func exactNumber(value any) *big.Rat {
	switch v := value.(type) {
	case json.Number, float64, int, int64, uint64:
		const maxDigits = 400 // a double has at most 309 before its point
		if text := fingerprint(v); len(text) < maxDigits {
			if n, ok := new(big.Rat).SetString(text); ok {
				return n
			}
		}
	}
	return nil
}

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
		return "[" + strings.Join(generic.Map(v, fingerprint), ", ") + "]"
	case map[string]any:
		members := generic.Map(slices.Sorted(maps.Keys(v)), func(key string) string { return strconv.Quote(key) + ": " + fingerprint(v[key]) })
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
