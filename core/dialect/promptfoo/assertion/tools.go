package assertion

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
)

// decoded returns the output as data: as the target gave it, or read from its text, or nil.
func (c *call) decoded() (value any) {
	if c.response.Output != nil {
		return c.response.Output
	}
	_ = json.Unmarshal([]byte(c.output), &value) // nil for a text
	return value
}

// toolCalls checks that the output consists of calls of the provider's tools, as OpenAI writes them.
func (c *call) toolCalls() (result, error) {
	if strings.Contains(c.output, "MCP Tool Error") {
		return verdict(false, "a tool of an MCP server failed")
	} else if strings.Contains(c.output, "MCP Tool Result") {
		return verdict(true, "")
	}
	output := c.decoded()
	if object, isObject := output.(map[string]any); isObject && object["tool_calls"] != nil {
		output = object["tool_calls"]
	}
	calls, _ := output.([]any)
	switch {
	case len(calls) == 0:
		return verdict(false, "the output has no tool calls")
	case c.Row.Tools == nil:
		return verdict(false, "the provider has no `tools`")
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
			r, _ := verdict(false, "%s", fault)
			return r, err
		}
	}
	return verdict(true, "")
}

// functionCall checks that the output is one call of the provider's functions.
func (c *call) functionCall() (result, error) {
	output := c.decoded()
	if object, isObject := output.(map[string]any); isObject && object["function_call"] != nil {
		output = object["function_call"]
	}
	functions, _ := c.Row.Functions.([]any)
	fault, err := c.callFault(output, functions)
	r, _ := verdict(fault == "", "%s", fault)
	return r, err
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
			schema, err := grade.DecodeExact([]byte(nunjucks.Encode(function["parameters"])))
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
	wanted := map[string]bool{}
	switch v := c.Value.(type) {
	case string:
		for name := range strings.SplitSeq(v, ",") {
			wanted[strings.TrimSpace(name)] = true
		}
	case []any:
		for _, name := range v {
			wanted[nunjucks.String(name)] = true
		}
	}
	if len(wanted) == 0 {
		return result{}, refused("its `value` names no tools")
	}
	called := map[string]bool{}
	for _, t := range c.sub.ToolCalls {
		called[t.Tool] = true
	}
	output := c.decoded()
	addToolNames(called, output)
	for line := range strings.SplitSeq(c.output, "\n") {
		var value any
		if output == nil && json.Unmarshal([]byte(line), &value) == nil {
			addToolNames(called, value)
		}
	}
	both := 0
	for name := range wanted {
		if called[name] {
			both++
		}
	}
	f1 := 2 * float64(both) / float64(len(called)+len(wanted))
	r, err := c.graded(f1, "the F1 of the called tools")
	r.score = f1
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
