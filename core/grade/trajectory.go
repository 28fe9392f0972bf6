package grade

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// callChecks compares tool calls with the expected steps, one check at a time.
type callChecks struct {
	calls        []ToolCall
	hits, misses []string
	met, total   int
}

func (c *callChecks) add(ok bool, format string, args ...any) {
	c.total++
	if line := fmt.Sprintf(format, args...); ok {
		c.met++
		c.hits = append(c.hits, line)
	} else {
		c.misses = append(c.misses, line)
	}
}

// gradeTrajectory compares the tool calls with the expected ones. The score is the share of checks
// that hold.
//
// In superset and subset mode the order does not matter, and the reference ignores time limits. A
// step with a time limit is two checks; the second one is left out if the call's time is unknown.
// In exact mode the reference reports surplus calls without counting them; by the rules each is a
// failed check.
func gradeTrajectory(_ context.Context, t task) Outcome {
	want := generic.OrZero(t.grader.Steps)
	counts, known := t.submission.countCalls()
	if !known && !(t.ports.Profile == score.AgentV4 && len(t.submission.Messages) > 0 && want.Mode != "any_order") {
		return Outcome{Result: t.missingData("tool calls not known: " + t.submission.Origin.describeMissing())}
	}
	if unordered := want.Mode == "superset" || want.Mode == "subset"; t.isReference() && (unordered || want.Untimed) {
		want.Expected = slices.Clone(want.Expected)
		for i := range want.Expected {
			want.Expected[i].MaxDurationMS = nil
		}
	}
	checks := &callChecks{calls: t.submission.toolCalls()}
	if want.Mode != "any_order" && len(checks.calls) == 0 && len(counts) > 0 && !t.isReference() {
		return Outcome{Result: t.missingData("the trace counts tool calls without their order")}
	}
	switch want.Mode {
	case "any_order":
		for _, m := range want.Minimums {
			checks.add(float64(counts[m.Tool]) >= m.Count, "`%s` called %d times, at least %v expected", m.Tool, counts[m.Tool], m.Count)
		}
	case "in_order":
		checks.checkInOrder(want.Expected)
	case "exact":
		checks.checkExact(want.Expected, t.isReference())
	case "superset":
		checks.checkSuperset(want.Expected)
	case "subset":
		checks.checkSubset(want.Expected)
	default:
		return Outcome{Result: t.missingData(fmt.Sprintf("`%s` is not a mode of comparing tool calls", want.Mode))}
	}
	if checks.total == 0 {
		checks.add(true, "no tool calls are expected")
	}
	return Outcome{Result: score.PlainResult(float64(checks.met)/float64(checks.total), checks.hits, checks.misses, ""), Problems: unusedFields(want.Expected)}
}

// unusedFields reports the arguments that steps list for comparison but do not have.
func unusedFields(steps []rubric.ToolStep) (problems []string) {
	for i, step := range steps {
		for _, field := range step.ArgsFields {
			if _, there := LookupKeys(step.Args, field); !there && step.Args != nil {
				problems = append(problems, fmt.Sprintf("step %d: `args_match` lists `%s`, which its `args` lack; it is not compared", i+1, field))
			}
		}
	}
	return problems
}

// checkInOrder searches each step after the previous one and skips other calls. A step without a
// call of its tool uses up all calls. A step with different arguments uses up that call.
func (c *callChecks) checkInOrder(steps []rubric.ToolStep) {
	next := 0
	for i, step := range steps {
		for next < len(c.calls) && c.calls[next].Tool != step.Tool {
			next++
		}
		if next == len(c.calls) {
			c.addMissing(step, fmt.Sprintf("step %d: `%s` is not called in what remains", i+1, step.Tool))
			continue
		}
		c.checkCall(i, step, c.calls[next])
		next++
	}
}

func (c *callChecks) checkExact(steps []rubric.ToolStep, asReference bool) {
	if len(steps) == 0 && asReference {
		return
	}
	if len(c.calls) != len(steps) && asReference {
		c.misses = append(c.misses, fmt.Sprintf("%d calls expected, %d made", len(steps), len(c.calls)))
	}
	for i, step := range steps {
		switch {
		case i >= len(c.calls):
			c.addMissing(step, fmt.Sprintf("step %d: `%s` expected, nothing called", i+1, step.Tool))
		case c.calls[i].Tool != step.Tool:
			c.addMissing(step, fmt.Sprintf("step %d: `%s` expected, `%s` called", i+1, step.Tool, c.calls[i].Tool))
		default:
			c.checkCall(i, step, c.calls[i])
		}
	}
	for i := len(steps); i < len(c.calls) && !asReference; i++ {
		c.add(false, "step %d: nothing more expected, `%s` called", i+1, c.calls[i].Tool)
	}
}

// checkSuperset requires a separate call for every step and allows other calls.
func (c *callChecks) checkSuperset(steps []rubric.ToolStep) {
	left := slices.Clone(c.calls)
	for i, step := range steps {
		j := slices.IndexFunc(left, func(call ToolCall) bool { return call.Tool == step.Tool && argsMatch(step, call) })
		if j < 0 {
			c.addMissing(step, fmt.Sprintf("step %d: no call of `%s` matches", i+1, step.Tool))
			continue
		}
		c.checkCall(i, step, left[j])
		left = slices.Delete(left, j, j+1)
	}
}

// checkSubset requires every call to match one of the steps. Several calls may match the same step.
func (c *callChecks) checkSubset(steps []rubric.ToolStep) {
	for j, call := range c.calls {
		i := slices.IndexFunc(steps, func(step rubric.ToolStep) bool { return call.Tool == step.Tool && argsMatch(step, call) })
		if i < 0 {
			c.add(false, "call %d: `%s` is not one of the expected calls", j+1, call.Tool)
			continue
		}
		c.add(true, "call %d: `%s`", j+1, call.Tool)
		c.checkDuration(i, steps[i], call)
	}
}

func (c *callChecks) checkCall(i int, step rubric.ToolStep, call ToolCall) {
	if !argsMatch(step, call) {
		c.addMissing(step, fmt.Sprintf("step %d: `%s` called with other arguments", i+1, step.Tool))
		return
	}
	c.add(true, "step %d: `%s`", i+1, step.Tool)
	c.checkDuration(i, step, call)
}

// checkDuration checks the time limit of step i if both times are known.
func (c *callChecks) checkDuration(i int, step rubric.ToolStep, call ToolCall) {
	if step.MaxDurationMS != nil && call.DurationMS != nil {
		c.add(*call.DurationMS <= *step.MaxDurationMS, "step %d: `%s` took %v ms of at most %v", i+1, step.Tool, *call.DurationMS, *step.MaxDurationMS)
	}
}

// addMissing adds a failed step and its time limit.
func (c *callChecks) addMissing(step rubric.ToolStep, line string) {
	c.add(false, "%s", line)
	if step.MaxDurationMS != nil {
		c.total++
	}
}

func argsMatch(step rubric.ToolStep, call ToolCall) bool {
	if step.Args == nil || step.ArgsMatch == rubric.ArgsIgnore {
		return true
	}
	input, ok := call.Input.(map[string]any)
	if !ok {
		return false
	}
	switch step.ArgsMatch {
	case rubric.ArgsExact:
		return equalJSON(input, step.Args)
	case rubric.ArgsSubset:
		return containsAll(step.Args, input)
	case rubric.ArgsListed:
		for _, field := range step.ArgsFields {
			want, asked := LookupKeys(step.Args, field)
			if got, there := LookupKeys(input, field); asked && (!there || !equalJSON(got, want)) {
				return false
			}
		}
		return true
	}
	return containsAll(input, step.Args)
}

// LookupKeys returns the value at a path of keys joined by dots.
func LookupKeys(value any, path string) (any, bool) {
	for _, key := range strings.Split(path, ".") {
		object, _ := value.(map[string]any)
		next, ok := object[key]
		if !ok {
			return nil, false
		}
		value = next
	}
	return value, true
}

// containsAll reports whether input is an object with at least the pairs of args.
func containsAll(input any, args map[string]any) bool {
	object, ok := input.(map[string]any)
	if !ok {
		return false
	}
	for key, want := range args {
		if got, ok := object[key]; !ok || !equalJSON(got, want) {
			return false
		}
	}
	return true
}
