package grade

import (
	"context"
	"fmt"

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
// A step with a time limit is two assertions; the second is left out when the
// call's time is not known. In exact mode the reference reports surplus calls
// without counting them; by the rules each is an assertion that is not met.
func gradeTrajectory(_ context.Context, t task) Outcome {
	want := rubric.Trajectory{}
	if t.g.Steps != nil {
		want = *t.g.Steps
	}
	counts, known := t.sub.tally()
	if !known {
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
	default:
		return Outcome{Result: t.lacking(fmt.Sprintf("`%s` is no mode of comparing tool calls", want.Mode))}
	}
	if w.asked == 0 {
		w.assert(true, "no tool calls are asked for")
	}
	return Outcome{Result: score.Plain(float64(w.met)/float64(w.asked), w.hits, w.misses, "")}
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

// step compares a call of the right tool.
func (w *walk) step(i int, step rubric.ToolStep, call ToolCall) {
	if step.Args != nil && !holds(call.Input, step.Args) {
		w.missing(step, fmt.Sprintf("step %d: `%s` called with other arguments", i+1, step.Tool))
		return
	}
	w.assert(true, "step %d: `%s`", i+1, step.Tool)
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
