package grade

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// The kinds of steps of a trace.
const (
	toolStep    = "tool"
	commandStep = "command"
	messageStep = "message"
	spanStep    = "span"
)

// traceStep is one step of a trace. A pattern may match any of its names.
type traceStep struct {
	kind  string
	names []string
	args  any // nil: none are known
}

// stepChecks are the checks of a trace's steps, by the type of the assertion. They report whether what
// it names is there, also if the assertion forbids that. An error means that the assertion itself
// cannot be used.
var stepChecks = map[string]func(a rubric.Assertion, steps []traceStep) (found bool, line string, err error){
	"trajectory:tool-used":       checkToolUsed,
	"trajectory:tool-args-match": checkToolArgs,
	"trajectory:tool-sequence":   checkToolSequence,
	"trajectory:step-count":      checkStepCount,
}

// gradeTraceSteps checks the steps of the trace: messages, tool calls and their outputs. The reference
// takes a target without a trace for one that only answered.
func gradeTraceSteps(ctx context.Context, t task) Outcome {
	a := *t.grader.Assert
	if _, known := t.submission.countCalls(); !known && !t.isReference() {
		return Outcome{Result: t.missingData("tool calls not known: " + t.submission.Origin.describeMissing())}
	}
	switch a.Type {
	case rubric.SkillUsed, rubric.NotSkillUsed, rubric.SkillTrigger:
		return t.gradeSkill()
	}
	steps := t.traceSteps()
	if a.Type == rubric.GoalSuccess {
		return t.judgeGoal(ctx, steps)
	}
	found, line, err := stepChecks[a.Type](a, steps)
	if err != nil {
		return t.unusable(err.Error())
	}
	return Outcome{Result: findingResult(found != a.Inverse, line)}
}

// traceSteps returns the steps of the whole conversation, ending with the final response.
func (t task) traceSteps() (steps []traceStep) {
	answered := false
	for _, m := range t.transcript(t.evalCase.Input) {
		answered = answered || m.Role == "assistant"
		steps = append(steps, traceStep{kind: messageStep, names: []string{cmp.Or(m.Name, messageStep), messageStep}})
		for _, call := range (Submission{Messages: []rubric.Message{m}}).toolCalls() {
			steps = append(steps, newCallStep(call))
			if call.Output != nil {
				steps = append(steps, traceStep{kind: spanStep, names: []string{"tool_result", spanStep}})
			}
		}
	}
	if answered {
		steps = append(steps, traceStep{kind: messageStep, names: []string{"final_response", messageStep}})
	}
	return steps
}

// newCallStep returns the step of a tool call. A call of a shell is a command.
func newCallStep(call ToolCall) traceStep {
	step := traceStep{kind: toolStep, names: []string{call.Tool}, args: call.Input}
	if text, isText := call.Input.(string); isText {
		step.args = nil
		if text = javascript.TrimSpace(text); text != "" && json.Unmarshal([]byte(text), &step.args) != nil {
			step.args = text
		}
	}
	if slices.Contains([]string{"exec_command", "local_shell", "shell"}, strings.ToLower(call.Tool)) {
		if line := commandLine(step.args); line != "" {
			step.kind, step.names = commandStep, []string{line, call.Tool, strings.Fields(line)[0]}
		}
	}
	return step
}

func commandLine(args any) string {
	object, _ := args.(map[string]any)
	for _, key := range []string{"cmd", "command", "commands"} {
		switch command := object[key].(type) {
		case nil:
			continue
		case string:
			return strings.TrimSpace(command)
		case []any:
			var parts []string
			for _, part := range command {
				if text := strings.TrimSpace(javascript.String(part)); text != "" {
					parts = append(parts, text)
				}
			}
			if key == "commands" {
				return strings.Join(parts, "; ")
			}
			return strings.Join(parts, " ")
		}
		return ""
	}
	return ""
}

// stepMatcher selects steps by name and kind.
type stepMatcher struct {
	pattern  string // with * and ?; "" matches any name
	kinds    []any  // nil: any kind
	min, max *float64
}

// newStepMatcher reads a pattern, or an object with a `name` or a `pattern`.
func newStepMatcher(value any, kind string) (m stepMatcher, err error) {
	if kind != "" {
		m.kinds = []any{kind}
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		m.pattern, _ = value.(string)
		return m, nil
	}
	pattern := cmp.Or(object["pattern"], object["name"])
	switch text := pattern.(type) {
	case nil:
	case string:
		m.pattern = text
	default:
		return m, errors.New("its pattern " + wrongValue(pattern, "a text"))
	}
	switch kinds := object["type"].(type) {
	case string:
		if kinds != "" {
			m.kinds = []any{kinds}
		}
	case []any:
		m.kinds = kinds
	}
	m.min, m.max = readBound(object["min"]), readBound(object["max"])
	return m, nil
}

// newNamedMatcher is newStepMatcher for tools; it requires a name or a pattern.
func newNamedMatcher(value any) (stepMatcher, error) {
	m, err := newStepMatcher(value, toolStep)
	object, _ := value.(map[string]any)
	if _, isText := value.(string); err == nil && m.pattern == "" && (isText || firstText(object, "name", "pattern") == "") {
		err = errors.New("it needs the `name` or `pattern` of a tool")
	}
	return m, err
}

// readBound returns the bound of a count, as JavaScript compares with it: NaN, which no count satisfies,
// if it is no number, and nil if there is none.
func readBound(value any) *float64 {
	if value == nil {
		return nil
	}
	return new(javascript.Number(value))
}

func (m stepMatcher) matches(step traceStep) bool {
	return (m.kinds == nil || slices.Contains(m.kinds, any(step.kind))) &&
		(m.pattern == "" || slices.ContainsFunc(step.names, func(name string) bool { return matchesWildcard(name, m.pattern) }))
}

func (m stepMatcher) count(steps []traceStep) (n int) {
	for _, step := range steps {
		if m.matches(step) {
			n++
		}
	}
	return n
}

// matchesWildcard ignores letter case; * stands for any characters, ? for one.
func matchesWildcard(name, pattern string) bool {
	re, err := ecmascript.Compile("^"+wildcards.Replace(pattern)+"$", "i")
	if err != nil {
		return false
	}
	matched, err := re.MatchString(name)
	return matched && err == nil
}

// wildcards makes a regular expression of a pattern.
var wildcards = strings.NewReplacer(
	"*", ".*", "?", ".", ".", `\.`, "+", `\+`, "^", `\^`, "$", `\$`, "{", `\{`, "}", `\}`, "(", `\(`, ")", `\)`, "|", `\|`, "[", `\[`, "]", `\]`, `\`, `\\`,
)

func toolSteps(steps []traceStep) []traceStep {
	return slices.DeleteFunc(slices.Clone(steps), func(s traceStep) bool { return s.kind != toolStep })
}

// checkToolUsed looks for calls of all tools in a list, of any of them if the assertion forbids them, or
// for a number of calls of one tool.
func checkToolUsed(a rubric.Assertion, steps []traceStep) (found bool, line string, err error) {
	steps = toolSteps(steps)
	if object, ok := a.Value.(map[string]any); ok {
		m, err := newNamedMatcher(object)
		n, least := float64(m.count(steps)), 1.0
		if m.min != nil {
			least = *m.min
		}
		return n >= least && (m.max == nil || n <= *m.max), fmt.Sprintf("`%s` called %v times", m.pattern, n), err
	}
	names, ok := a.Value.([]any)
	if text, isText := a.Value.(string); isText {
		names, ok = []any{text}, true
	}
	if !ok || len(names) == 0 || slices.ContainsFunc(names, func(name any) bool { _, isText := name.(string); return !isText }) {
		return false, "", errors.New("its `value` needs a tool, a list of tools, or an object")
	}
	var missing, used []string
	for _, name := range names {
		m, _ := newStepMatcher(name, toolStep)
		if m.count(steps) == 0 {
			missing = append(missing, m.pattern)
		} else {
			used = append(used, m.pattern)
		}
	}
	return len(missing) == 0 || a.Inverse && len(used) > 0, fmt.Sprintf("called: %s; not called: %s", listOrNone(used), listOrNone(missing)), nil
}

func listOrNone(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// checkToolSequence looks for calls in this order, with others between them unless the mode is exact.
func checkToolSequence(a rubric.Assertion, steps []traceStep) (found bool, line string, err error) {
	steps = toolSteps(steps)
	list, isList := a.Value.([]any)
	object, isObject := a.Value.(map[string]any)
	if isObject {
		list, _ = object["steps"].([]any)
	}
	if !isList && !isObject || len(list) == 0 {
		return false, "", errors.New("its `value` needs a list of steps")
	}
	next := 0
	for i, item := range list {
		m, err := newNamedMatcher(item)
		if err != nil {
			return false, "", fmt.Errorf("step %d: %w", i+1, err)
		}
		if object["mode"] == "exact" {
			if len(steps) != len(list) || !m.matches(steps[i]) {
				line = fmt.Sprintf("step %d: `%s` is not exactly there", i+1, m.pattern)
			}
			continue
		}
		for next < len(steps) && !m.matches(steps[next]) {
			next++
		}
		if next++; next > len(steps) && line == "" {
			line = fmt.Sprintf("step %d: `%s` is not called in what remains", i+1, m.pattern)
		}
	}
	if line != "" {
		return false, line, nil
	}
	return true, "all steps are called in order", nil
}

func checkStepCount(a rubric.Assertion, steps []traceStep) (found bool, line string, err error) {
	object, isObject := a.Value.(map[string]any)
	m, err := newStepMatcher(object, "")
	if err == nil && (!isObject || m.min == nil && m.max == nil) {
		err = errors.New("its `value` needs an object with a `min` or a `max`")
	}
	n := float64(m.count(steps))
	return (m.min == nil || n >= *m.min) && (m.max == nil || n <= *m.max), fmt.Sprintf("%v steps match", n), err
}

// checkToolArgs looks for a call with arguments: at least these, or in exact mode only these. Ignored
// keys and default values do not count.
func checkToolArgs(a rubric.Assertion, steps []traceStep) (found bool, line string, err error) {
	object, isObject := a.Value.(map[string]any)
	m, err := newNamedMatcher(a.Value)
	switch {
	case !isObject:
		return false, "", errors.New("its `value` needs an object")
	case err != nil:
		return false, "", err
	}
	want, given := object["args"]
	if !given {
		want, given = object["arguments"]
	}
	mode, hasMode := object["mode"]
	defaults, hasDefaults := object["defaults"]
	defaultArgs, isArgs := defaults.(map[string]any)
	ignored, isList := object["ignore"].([]any)
	if ignore, there := object["ignore"]; there && !isList {
		ignored = []any{ignore}
	}
	switch {
	case !given:
		return false, "", errors.New("its `value` needs `args`")
	case hasMode && mode != nil && mode != "partial" && mode != "exact":
		return false, "", errors.New("its `mode` is neither `partial` nor `exact`")
	case hasDefaults && !isArgs:
		return false, "", errors.New("its `defaults` are not an object")
	case slices.ContainsFunc(ignored, func(key any) bool { text, _ := key.(string); return strings.TrimSpace(text) == "" }):
		return false, "", errors.New("its `ignore` holds something else than keys")
	}
	isIgnored := func(key string, _ any) bool {
		return slices.ContainsFunc(ignored, func(pattern any) bool {
			return key == pattern || strings.ContainsAny(pattern.(string), "*?") && matchesWildcard(key, pattern.(string))
		})
	}
	isDefault := func(key string, arg any) bool {
		usual, there := defaultArgs[key]
		return isIgnored(key, nil) || there && equalJSON(arg, usual)
	}
	want = withoutKeys(want, isIgnored)
	for _, step := range toolSteps(steps) {
		if !m.matches(step) || step.args == nil {
			continue
		}
		if got := withoutKeys(step.args, isDefault); mode == "exact" && equalJSON(got, want) || mode != "exact" && containsJSON(got, want) {
			return true, fmt.Sprintf("`%s` is called with these arguments", m.pattern), nil
		}
	}
	return false, fmt.Sprintf("no call of `%s` has these arguments", m.pattern), nil
}

func withoutKeys(value any, drop func(key string, value any) bool) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	rest := maps.Clone(object)
	maps.DeleteFunc(rest, drop)
	return rest
}

// containsJSON reports whether got has at least the keys of want, at any depth.
func containsJSON(got, want any) bool {
	switch want := want.(type) {
	case []any:
		list, ok := got.([]any)
		return ok && slices.EqualFunc(list, want, containsJSON)
	case map[string]any:
		object, ok := got.(map[string]any)
		for key, item := range want {
			value, there := object[key]
			ok = ok && there && containsJSON(value, item)
		}
		return ok
	}
	return equalJSON(got, want)
}

func (t task) judgeGoal(ctx context.Context, steps []traceStep) Outcome {
	value := t.grader.Assert.Value
	if object, isObject := value.(map[string]any); isObject {
		value = object["goal"]
	}
	goal := trimText(value)
	if goal == "" {
		return t.unusable("its `value` needs a goal")
	}
	list := &strings.Builder{}
	for i, step := range steps {
		fmt.Fprintf(list, "%d. %s: %s\n", i+1, step.kind, step.names[0])
	}
	evalCase := *t.evalCase
	evalCase.ExpectedOutcome = "The agent reached this goal, by its steps and its answer: " + goal + "\n\nSteps:\n" + list.String()
	t.evalCase = &evalCase
	out := t.judgeFreeform(ctx, Question(t.ports.Profile, &evalCase, &rubric.Grader{}, t.submission))
	if t.grader.Assert.Inverse {
		out.Result = score.Terms{Negate: true}.Apply(t.ports.Profile, t.grader.Name, out.Result)
	}
	return out
}
