//go:build !wasip1

package assertion

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
)

var (
	//go:embed script.js
	javaScript string
	//go:embed script.py
	python string
)

// programs run the code of an assertion. They read {file, function, code, output, context} and print
// {result} or {error}. One line is an expression, several are the body of a function.
var programs = map[string][]string{"javascript": {"node", "-e", javaScript}, "python": {"python3", "-c", python}}

// script runs the assertion's code, if programs are allowed.
func (c *call) script(code string) (result, error) {
	config := javascript.As[map[string]any](c.Fields["config"])
	test := map[string]any{"vars": c.Row.Vars, "options": c.Row.Options, "metadata": c.Row.Metadata}
	input := map[string]any{"code": code, "output": c.output, "context": map[string]any{"prompt": c.Row.Prompt, "vars": c.Row.Vars, "config": config, "test": test}}
	if c.Row.Output != nil && javascript.Encode(c.Row.Output) == c.output {
		input["output"] = c.Row.Output
	}
	if file, isFile := strings.CutPrefix(code, "file://"); isFile {
		input["file"], input["function"] = file, ""
		if at := strings.LastIndexByte(file, ':'); at > 1 {
			input["file"], input["function"] = file[:at], file[at+1:]
		}
	}
	stdout, err := c.ports.Run(c.ctx, programs[c.Type], "", input)
	if err != nil {
		return result{}, err
	}
	var answer struct {
		Type   string
		Result any
		Error  string
		Lacks  string
	}
	if err := json.Unmarshal([]byte(stdout[strings.LastIndexByte(stdout, '\n')+1:]), &answer); err != nil {
		return result{}, fmt.Errorf("the code's result is not JSON: %w", err)
	}
	switch {
	case answer.Lacks != "":
		return result{}, refused("its code reads `%s` of its context, which is not available here", answer.Lacks)
	case answer.Error != "":
		return result{}, badReply{errors.New("the code failed: " + answer.Error)}
	case answer.Type == "number" && answer.Result == nil: // NaN and infinity
		return result{pass: c.Inverse, reason: "the code returned no finite number"}, nil
	}
	return c.scriptResult(answer.Result)
}

// scriptResult reads what code returned: a boolean, a number, or an object with a verdict.
func (c *call) scriptResult(value any) (result, error) {
	switch v := value.(type) {
	case bool:
		return c.holds(v, "the code returned %v", v)
	case float64:
		pass := v >= c.limit
		if c.Threshold == nil {
			pass = v > 0
		}
		return result{pass: pass != c.Inverse, score: v, reason: fmt.Sprintf("the code returned %v", v)}, nil
	case map[string]any:
		return c.scriptObject(v)
	}
	return result{}, badReply{errors.New("the code returned neither a boolean, a number nor an object with `pass`, `score` and `reason`")}
}

// scriptObject reads an object. promptfoo applies the threshold to those of Python alone.
func (c *call) scriptObject(fields map[string]any) (result, error) {
	pass, hasPass := fields["pass"].(bool)
	value, hasScore := fields["score"].(float64)
	reason, hasReason := fields["reason"].(string)
	if !hasPass || !hasScore || !hasReason {
		return result{}, badReply{errors.New("the code returned an object without `pass`, `score` or `reason`")}
	}
	if c.Threshold != nil && (c.spec || c.Type == "python") && value < c.limit {
		pass, reason = false, fmt.Sprintf("the score is %v, the threshold is %v: %s", value, c.limit, reason)
	}
	if c.Inverse || c.spec && reason == "" {
		reason = strings.TrimSuffix(fmt.Sprintf("the code returned %v: %s", pass, reason), ": ")
	}
	r := result{pass: pass != c.Inverse, score: value, reason: reason, named: map[string]float64{}}
	for name, item := range javascript.As[map[string]any](fields["namedScores"]) {
		if n, isNumber := item.(float64); isNumber {
			r.named[name] = n
		}
	}
	return r, nil
}
