package assertion

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// programs run the code of an assertion. They read {file, function, code, output, context} and print
// {result} or {error}. One line is an expression, several are the body of a function.
var programs = map[string][]string{
	"javascript": {"node", "-e", `const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const print = answer => process.stdout.write("\n" + JSON.stringify(answer));
const lastStatement = code => {
  let quote = "", last = -1;
  for (let i = 0; i < code.length; i++) {
    if (code[i] === "\\") i++;
    else if (quote) { if (code[i] === quote) quote = ""; }
    else if ("'\"` + "`" + `".includes(code[i])) quote = code[i];
    else if (code[i] === ";") last = i;
  }
  return last;
};
const body = code => {
  code = code.trimEnd();
  if (code.includes("\n")) return code;
  code = code.trim().replace(/;+\s*$/, "");
  if (!/^(const|let|var)\s/.test(code)) return "return " + code;
  const at = lastStatement(code) + 1;
  return at && code.slice(at).trim() ? code.slice(0, at) + " return " + code.slice(at) : code;
};
const load = async () => {
  if (!given.file) return new Function("output", "context", "process", body(given.code));
  const loaded = await import(require("url").pathToFileURL(require("path").resolve(given.file)));
  const own = loaded.default ?? loaded;
  return given.function ? loaded[given.function] ?? own[given.function] : own;
};
load().then(run => run(given.output, given.context, process))
  .then(result => print({type: typeof result, result}), error => print({error: error.message}));
`},
	"python": {"python3", "-c", `import json, re, sys, importlib.util
given = json.load(sys.stdin)
def load():
    if given.get("file"):
        spec = importlib.util.spec_from_file_location("assertion", given["file"])
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return getattr(loaded, given.get("function") or "get_assert")
    code, names = given["code"], {"json": json}
    if "\n" in code:
        found = re.search(r"^(?!\s*$)[ \t]+", code, re.M)
        indent = found.group(0) if found else "    "
        code = "\n".join(indent + line for line in code.split("\n"))
    else:
        code = "    return " + code
    exec("def main(output, context):\n" + code + "\n", names)
    return names["main"]
try:
    answer = {"result": load()(given["output"], given["context"])}
except Exception as error:
    answer = {"error": str(error)}
print("\n" + json.dumps(answer))
`},
}

// script runs the assertion's code, if programs are allowed.
func (c *call) script() (result, error) {
	code, isText := c.Value.(string)
	if !isText {
		return result{}, refused("its `value` is not a text")
	}
	output := any(c.output)
	if c.response.Output != nil {
		output = c.response.Output
	}
	config, _ := c.Config.(map[string]any)
	input := map[string]any{"code": code, "output": output, "context": map[string]any{"prompt": c.Row.Prompt, "vars": c.Row.Vars, "config": config}}
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
		Result json.RawMessage
		Error  string
	}
	if err := json.Unmarshal([]byte(stdout[strings.LastIndexByte(stdout, '\n')+1:]), &answer); err != nil {
		return result{}, fmt.Errorf("the code's result is not JSON: %w", err)
	}
	if answer.Error != "" {
		return c.brokenScript("the code failed: " + answer.Error)
	}
	if answer.Type == "number" && string(answer.Result) == "null" { // NaN and infinity
		return result{pass: c.Inverse, reason: "the code returned no finite number"}, nil
	}
	var value any
	_ = json.Unmarshal(answer.Result, &value) // nil for nothing
	return c.scriptResult(value)
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
	if text, isText := value.(string); isText && c.Type == "python" {
		switch lower := strings.ToLower(text); {
		case lower == "true", lower == "false":
			value = lower == "true"
		case strings.HasPrefix(text, "{"):
			_ = json.Unmarshal([]byte(text), &value) // stays a text, which is no result
		default:
			if n, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
				value = n
			}
		}
	}
	least, err := c.threshold(0)
	if err != nil {
		return result{}, err
	}
	switch v := value.(type) {
	case bool:
		return verdict(v != c.Inverse, "the code returned %v", v)
	case float64:
		pass := v >= least
		if c.Threshold == nil {
			pass = v > 0
		}
		return result{pass: pass != c.Inverse, score: v, reason: fmt.Sprintf("the code returned %v", v)}, nil
	case map[string]any:
		return c.scriptObject(v, least)
	}
	return c.brokenScript("the code returned neither a boolean, a number nor an object with `pass`, `score` and `reason`")
}

// scriptObject reads an object. promptfoo applies the threshold to those of Python alone.
func (c *call) scriptObject(fields map[string]any, least float64) (result, error) {
	for snake, camel := range map[string]string{"pass_": "pass", "named_scores": "namedScores"} {
		if value, has := fields[snake]; has && c.Type == "python" && fields[camel] == nil {
			fields[camel] = value
		}
	}
	pass, hasPass := fields["pass"].(bool)
	value, hasScore := fields["score"].(float64)
	reason, hasReason := fields["reason"].(string)
	if !hasPass || !hasScore || !hasReason {
		return c.brokenScript("the code returned an object without `pass`, `score` or `reason`")
	}
	if c.Threshold != nil && (c.spec || c.Type == "python") && value < least {
		pass, reason = false, fmt.Sprintf("the score is %v, the threshold is %v: %s", value, least, reason)
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
