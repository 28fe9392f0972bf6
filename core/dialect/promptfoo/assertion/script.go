package assertion

import (
	"encoding/json"
	"fmt"
	"strings"
)

// programs run the code of an assertion. They read {file, function, code, output, context} and print
// {result} or {error}. One line is an expression, several are the body of a function.
var programs = map[string][]string{"javascript": {"node", "-e", source("script.js")}, "python": {"python3", "-c", source("script.py")}}

// script runs the assertion's code, if programs are allowed.
func (c *call) script(code string) (result, error) {
	config, _ := c.Fields["config"].(map[string]any)
	input := map[string]any{"code": code, "output": c.output, "context": map[string]any{"prompt": c.Row.Prompt, "vars": c.Row.Vars, "config": config}}
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
	}
	if err := json.Unmarshal([]byte(stdout[strings.LastIndexByte(stdout, '\n')+1:]), &answer); err != nil {
		return result{}, fmt.Errorf("the code's result is not JSON: %w", err)
	}
	switch {
	case answer.Error != "":
		return c.brokenScript("the code failed: " + answer.Error)
	case answer.Type == "number" && answer.Result == nil: // NaN and infinity
		return result{pass: c.Inverse, reason: "the code returned no finite number"}, nil
	}
	return c.scriptResult(answer.Result)
}

// brokenScript is the result of code that failed or returned what is no result.
func (c *call) brokenScript(why string) (result, error) {
	if c.spec {
		return result{}, refused("%s", why)
	}
	return result{reason: why}, nil
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
	return c.brokenScript("the code returned neither a boolean, a number nor an object with `pass`, `score` and `reason`")
}

// scriptObject reads an object. promptfoo applies the threshold to those of Python alone.
func (c *call) scriptObject(fields map[string]any) (result, error) {
	pass, hasPass := fields["pass"].(bool)
	value, hasScore := fields["score"].(float64)
	reason, hasReason := fields["reason"].(string)
	if !hasPass || !hasScore || !hasReason {
		return c.brokenScript("the code returned an object without `pass`, `score` or `reason`")
	}
	if c.Threshold != nil && (c.spec || c.Type == "python") && value < c.limit {
		pass, reason = false, fmt.Sprintf("the score is %v, the threshold is %v: %s", value, c.limit, reason)
	}
	if c.Inverse || c.spec && reason == "" {
		reason = strings.TrimSuffix(fmt.Sprintf("the code returned %v: %s", pass, reason), ": ")
	}
	r := result{pass: pass != c.Inverse, score: value, reason: reason, named: map[string]float64{}}
	named, _ := fields["namedScores"].(map[string]any)
	for name, item := range named {
		if n, isNumber := item.(float64); isNumber {
			r.named[name] = n
		}
	}
	return r, nil
}
