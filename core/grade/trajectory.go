package grade

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// walk compares tool calls with what is expected, one assertion at a time.
type walk struct {
	calls        []ToolCall
	hits, misses []string
	met, asked   int
}

func (w *walk) assert(ok bool, format string, args ...any) {
	w.asked++
	if line := fmt.Sprintf(format, args...); ok {
		w.met++
		w.hits = append(w.hits, line)
	} else {
		w.misses = append(w.misses, line)
	}
}

// gradeTrajectory compares the calls that were made with those expected: score
// = assertions met ÷ assertions.
//
// In superset and subset mode the order does not matter, and to the reference time
// limits do not either. A step with a time limit is two assertions; the second is left out when the
// call's time is not known. In exact mode the reference reports surplus calls
// without counting them; by the rules each is an assertion that is not met.
func gradeTrajectory(_ context.Context, t task) Outcome {
	want := rubric.Trajectory{}
	if t.g.Steps != nil {
		want = *t.g.Steps
	}
	counts, known := t.sub.tally()
	if !known && !(t.ports.Profile == score.AgentV4 && len(t.sub.Messages) > 0 && want.Mode != "any_order") {
		return Outcome{Result: t.lacking("there is no trace of tool calls")}
	}
	w := &walk{calls: t.sub.calls()}
	if want.Mode != "any_order" && len(w.calls) == 0 && len(counts) > 0 && !t.reference() {
		return Outcome{Result: t.lacking("the trace counts tool calls without their order")}
	}
	switch want.Mode {
	case "any_order":
		for _, m := range want.Minimums {
			w.assert(float64(counts[m.Tool]) >= m.Count, "`%s` called %d times, at least %v wanted", m.Tool, counts[m.Tool], m.Count)
		}
	case "in_order":
		w.inOrder(want.Expected)
	case "exact":
		w.exact(want.Expected, t.reference())
	case "superset":
		w.superset(want.Expected, t.reference())
	case "subset":
		w.subset(want.Expected, t.reference())
	default:
		return Outcome{Result: t.lacking(fmt.Sprintf("`%s` is no mode of comparing tool calls", want.Mode))}
	}
	if w.asked == 0 {
		w.assert(true, "no tool calls are asked for")
	}
	return Outcome{Result: score.Plain(float64(w.met)/float64(w.asked), w.hits, w.misses, ""), Problems: unusedFields(want.Expected)}
}

// unusedFields names the arguments that steps say to compare and do not have.
func unusedFields(steps []rubric.ToolStep) (problems []string) {
	for i, step := range steps {
		for _, field := range step.ArgsFields {
			if _, there := nested(step.Args, field); !there && step.Args != nil {
				problems = append(problems, fmt.Sprintf("step %d: `args_match` lists `%s`, which its `args` lack; it is not compared", i+1, field))
			}
		}
	}
	return problems
}

// inOrder looks for each step after the one before, over other calls. A step
// whose tool is not there uses up all calls; one whose arguments differ uses up
// that call.
func (w *walk) inOrder(steps []rubric.ToolStep) {
	next := 0
	for i, step := range steps {
		for next < len(w.calls) && w.calls[next].Tool != step.Tool {
			next++
		}
		if next == len(w.calls) {
			w.missing(step, fmt.Sprintf("step %d: `%s` is not called in what remains", i+1, step.Tool))
			continue
		}
		w.step(i, step, w.calls[next])
		next++
	}
}

// exact compares call by call.
func (w *walk) exact(steps []rubric.ToolStep, forgiving bool) {
	if len(steps) == 0 && forgiving {
		return
	}
	if len(w.calls) != len(steps) && forgiving {
		w.misses = append(w.misses, fmt.Sprintf("%d calls expected, %d made", len(steps), len(w.calls)))
	}
	for i, step := range steps {
		switch {
		case i >= len(w.calls):
			w.missing(step, fmt.Sprintf("step %d: `%s` expected, nothing called", i+1, step.Tool))
		case w.calls[i].Tool != step.Tool:
			w.missing(step, fmt.Sprintf("step %d: `%s` expected, `%s` called", i+1, step.Tool, w.calls[i].Tool))
		default:
			w.step(i, step, w.calls[i])
		}
	}
	for i := len(steps); i < len(w.calls) && !forgiving; i++ {
		w.assert(false, "step %d: nothing more expected, `%s` called", i+1, w.calls[i].Tool)
	}
}

// superset wants a call of its own for every step, whatever else is called.
func (w *walk) superset(steps []rubric.ToolStep, untimed bool) {
	used := make([]bool, len(w.calls))
	for i, step := range steps {
		if untimed {
			step.MaxDurationMS = nil
		}
		free := -1
		for j, call := range w.calls {
			if !used[j] && call.Tool == step.Tool && accepts(step, call) {
				free = j
				break
			}
		}
		if free < 0 {
			w.missing(step, fmt.Sprintf("step %d: no call of `%s` is left that matches", i+1, step.Tool))
			continue
		}
		used[free] = true
		w.step(i, step, w.calls[free])
	}
}

// subset wants every call to match one of the steps. Several may match the same.
func (w *walk) subset(steps []rubric.ToolStep, untimed bool) {
	for j, call := range w.calls {
		i := slices.IndexFunc(steps, func(step rubric.ToolStep) bool { return call.Tool == step.Tool && accepts(step, call) })
		if i < 0 {
			w.assert(false, "call %d: `%s` is not among the expected calls", j+1, call.Tool)
			continue
		}
		w.assert(true, "call %d: `%s`", j+1, call.Tool)
		if !untimed {
			w.timed(i, steps[i], call)
		}
	}
}

// step compares a call of the right tool.
func (w *walk) step(i int, step rubric.ToolStep, call ToolCall) {
	if !accepts(step, call) {
		w.missing(step, fmt.Sprintf("step %d: `%s` called with other arguments", i+1, step.Tool))
		return
	}
	w.assert(true, "step %d: `%s`", i+1, step.Tool)
	w.timed(i, step, call)
}

// timed holds a call to the time limit of step i, where both are known.
func (w *walk) timed(i int, step rubric.ToolStep, call ToolCall) {
	if step.MaxDurationMS != nil && call.DurationMS != nil {
		w.assert(*call.DurationMS <= *step.MaxDurationMS, "step %d: `%s` took %v ms of at most %v", i+1, step.Tool, *call.DurationMS, *step.MaxDurationMS)
	}
}

// missing is a step that is not met, and with it its time limit.
func (w *walk) missing(step rubric.ToolStep, line string) {
	w.assert(false, "%s", line)
	if step.MaxDurationMS != nil {
		w.asked++
	}
}

// accepts reports whether the arguments of a call are as its step wants them.
func accepts(step rubric.ToolStep, call ToolCall) bool {
	if step.Args == nil || step.ArgsMatch == rubric.ArgsIgnore {
		return true
	}
	input, ok := call.Input.(map[string]any)
	if !ok {
		return false
	}
	switch step.ArgsMatch {
	case rubric.ArgsExact:
		return equal(input, step.Args)
	case rubric.ArgsSubset:
		return holds(step.Args, input)
	case rubric.ArgsListed:
		for _, field := range step.ArgsFields {
			want, asked := nested(step.Args, field)
			if got, there := nested(input, field); asked && (!there || !equal(got, want)) {
				return false
			}
		}
		return true
	}
	return holds(input, step.Args)
}

// nested returns the value at a path of keys that dots join.
func nested(value any, path string) (any, bool) {
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

// holds reports whether input is an object with at least the pairs of args.
func holds(input any, args map[string]any) bool {
	object, ok := input.(map[string]any)
	if !ok {
		return false
	}
	for key, want := range args {
		if got, ok := object[key]; !ok || !equal(got, want) {
			return false
		}
	}
	return true
}
