package assertion

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/metric/rouge"
)

// measured grades a measure of the target that must be known, and at most the threshold.
func measured(name string, of func(grade.Trace) *float64) func(*call) (result, error) {
	return func(c *call) (result, error) {
		if c.Threshold == nil {
			return result{}, refused("it has no `threshold`")
		}
		var value *float64
		if c.sub.Trace != nil {
			value = of(*c.sub.Trace)
		}
		if value == nil || *value == 0 && name == "latency" && !c.spec { // promptfoo takes 0 for a cached reply
			return result{}, refused("the target does not report the %s", name)
		}
		return c.holds(*value <= c.limit, "the %s is %v, the threshold is %v", name, *value, c.limit)
	}
}

// perplexity grades how unlikely the target found its own words. A score of it is 0–1, and higher is
// better.
func (c *call) perplexity() (result, error) {
	if len(c.response.LogProbs) == 0 {
		return result{}, refused("the target does not report the probabilities of its words")
	}
	sum := 0.0
	for _, p := range c.response.LogProbs {
		sum += p
	}
	value := math.Exp(-sum / float64(len(c.response.LogProbs)))
	if c.Type == "perplexity" {
		return verdict(c.Threshold == nil || value <= c.limit != c.Inverse, "the perplexity is %v, the threshold is %v", value, c.limit)
	}
	r, err := c.graded(1/(1+value), "the score of the perplexity")
	r.pass = r.pass || c.Threshold == nil
	return r, err
}

func (c *call) finishReason(want string) (result, error) {
	got := c.response.FinishReason
	if got == "" && c.spec {
		return result{}, refused("the target does not report why it finished")
	}
	return c.holds(got != "" && strings.EqualFold(want, got), "the target finished because of `%s`", got)
}

func (c *call) guardrails() (result, error) {
	if c.response.Guardrails == nil && c.spec {
		return result{}, refused("the target does not report its guardrails")
	}
	flagged := javascript.IsTrue(c.response.Guardrails["flagged"])
	return c.holds(!flagged, "the guardrails flagged this: %v", flagged)
}

// names returns the items of a list, or of a text with commas.
func names(value any) (list []string, ok bool) {
	switch v := value.(type) {
	case string:
		for name := range strings.SplitSeq(v, ",") {
			list = append(list, strings.TrimSpace(name))
		}
	case []any:
		for _, name := range v {
			list = append(list, javascript.String(name))
		}
	default:
		return nil, false
	}
	return list, true
}

// decoded returns the JSON that the output is, or what it has under a key; nil for another text.
func (c *call) decoded(key string) (value any) {
	_ = json.Unmarshal([]byte(c.output), &value)
	if object, isObject := value.(map[string]any); isObject && object[key] != nil {
		return object[key]
	}
	return value
}

// valid is a check that finds a fault, or none. `not-` does not invert it.
func valid(findFault func(*call) (fault string, err error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		fault, err := findFault(c)
		if err != nil {
			return result{}, err
		}
		return verdict(fault == "", "%s", fault)
	}
}

// toolCallsFault says why the output does not consist of calls of the provider's tools, as OpenAI writes them.
func (c *call) toolCallsFault() (string, error) {
	calls, _ := c.decoded("tool_calls").([]any)
	switch {
	case strings.Contains(c.output, "MCP Tool Error"):
		return "a tool of an MCP server failed", nil
	case strings.Contains(c.output, "MCP Tool Result"):
		return "", nil
	case len(calls) == 0:
		return "the output has no tool calls", nil
	case c.Row.Tools == nil:
		return "the provider has no `tools`", nil
	}
	tools, _ := c.Row.Tools.([]any)
	var functions []any
	for _, tool := range tools {
		if t, _ := tool.(map[string]any); t["type"] == "function" {
			functions = append(functions, t["function"])
		}
	}
	for _, item := range calls {
		called, _ := item.(map[string]any)
		if fault, err := c.callFault(called["function"], functions); fault != "" || err != nil {
			return fault, err
		}
	}
	return "", nil
}

// functionCallFault says why the output is no call of one of the provider's functions.
func (c *call) functionCallFault() (string, error) {
	functions, _ := c.Row.Functions.([]any)
	return c.callFault(c.decoded("function_call"), functions)
}

// callFault says why a call is not valid, or "".
func (c *call) callFault(called any, functions []any) (string, error) {
	call, _ := called.(map[string]any)
	name, hasName := call["name"].(string)
	arguments, hasArguments := call["arguments"].(string)
	if !hasName || !hasArguments {
		return "a call has no `name` or no `arguments` as a text", nil
	}
	document, err := grade.DecodeExact([]byte(arguments))
	if err != nil {
		return "the arguments of `" + name + "` are not JSON", nil
	}
	for _, f := range functions {
		if function, _ := f.(map[string]any); function["name"] == name && function["parameters"] != nil {
			schema, err := grade.DecodeExact([]byte(javascript.Encode(function["parameters"])))
			if err != nil {
				return "", err
			}
			fault, err := c.validate(schema, document)
			if fault != "" {
				fault = "the arguments of `" + name + "` are not valid: " + fault
			}
			return fault, err
		}
	}
	return "the provider has no function `" + name + "`", nil
}

// toolCallF1 compares the tools that were called with the expected ones, in any order.
func (c *call) toolCallF1() (result, error) {
	wanted, _ := names(c.Value)
	if len(wanted) == 0 {
		return result{}, refused("its `value` names no tools")
	}
	called := map[string]bool{}
	for _, t := range c.sub.ToolCalls {
		called[t.Tool] = true
	}
	output := c.decoded("")
	addToolNames(called, output)
	for line := range strings.Lines(c.output) {
		var value any
		if output == nil && json.Unmarshal([]byte(line), &value) == nil {
			addToolNames(called, value)
		}
	}
	slices.Sort(wanted)
	f1 := rouge.Overlap(slices.Collect(maps.Keys(called)), slices.Compact(wanted)).F
	r, err := c.graded(f1, "the F1 of the called tools")
	r.score = f1 // `not-` inverts the verdict alone
	return r, err
}

// addToolNames adds the tools that a value calls, in the notations of OpenAI, Anthropic and Google.
func addToolNames(names map[string]bool, value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			addToolNames(names, item)
		}
	case map[string]any:
		if name, hasName := v["name"].(string); hasName {
			names[name] = true
		}
		for _, key := range []string{"function", "functionCall", "functionCalls", "tool_calls", "toolCall"} {
			addToolNames(names, v[key])
		}
	}
}
