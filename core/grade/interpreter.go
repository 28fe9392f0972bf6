package grade

import (
	"context"
	"fmt"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// interpreters run the code of an assertion: they read {code, output, context}
// and print as JSON what it comes to. One line is an expression, several are the
// body of a function.
var interpreters = map[string][]string{
	"python": {"python3", "-c", `import json, sys, textwrap
given, names = json.load(sys.stdin), {}
code = given["code"]
body = code if "\n" in code else "return " + code
exec("def judge(output, context):\n" + textwrap.indent(body, "    "), names)
print(json.dumps(names["judge"](given["output"], given["context"])))
`},
	"javascript": {"node", "-e", `const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const code = given.code.trim().replace(/;+$/, "");
const body = code.includes("\n") || /\breturn\b/.test(code) ? code : "return (" + code + ")";
Promise.resolve(new Function("output", "context", body)(given.output, given.context))
  .then(result => console.log(JSON.stringify(result)));
`},
}

// gradeExternal has an interpreter run an assertion's code, and says of all else
// what kept it from being graded here.
func gradeExternal(ctx context.Context, t task) Outcome {
	a := externalAssertion(t.grader)
	argv, ok := interpreters[a.Type]
	if !ok {
		return Outcome{Result: score.UngradedResult(fmt.Sprintf("`%s` needs a plugin, a service or a trace that is not here", a.Type))}
	}
	code, err := assertionText(a)
	if err != nil {
		return Outcome{Result: score.UngradedResult(err.Error())}
	}
	stdin, err := encodeInput(map[string]any{"code": code, "output": t.submission.Answer, "context": t.newScriptInput(nil)})
	if err != nil {
		return t.programFailure(err)
	}
	stdout, err := t.runProgram(ctx, Command{Argv: argv, Stdin: stdin})
	if err != nil {
		return t.programFailure(err)
	}
	return Outcome{Result: t.parseComputed(stdout)}
}

// externalAssertion is the assertion of a grader of the kind External.
func externalAssertion(g *rubric.Grader) rubric.Assertion {
	if g.Assert != nil {
		return *g.Assert
	}
	return rubric.Assertion{Type: g.Name}
}

// parseComputed reads what an assertion's code came to: yes or no, a number that is
// its score, or an object like a script's.
func (t task) parseComputed(stdout string) score.Result {
	value, err := t.parseOutput(stdout)
	if err != nil {
		return t.missingData("the code came to nothing that is JSON")
	}
	switch v := value.(type) {
	case bool:
		return findingResult(v, fmt.Sprintf("the code came to %v", v))
	case float64:
		return score.NumberResult(v, t.codeThreshold())
	case map[string]any:
		r := t.scriptResult(v, score.Spec)
		if _, verdict := v["pass"].(bool); !verdict && r.Ungraded == "" {
			r.Verdict = score.NumberResult(r.Score, t.codeThreshold()).Verdict
		}
		return r
	}
	return t.missingData("the code came to " + describeValue(value) + ", not to a truth value, a number or an object")
}

// codeThreshold is the score from which code passes that came to a number.
func (t task) codeThreshold() *float64 {
	if t.grader.Threshold != nil {
		return t.grader.Threshold
	}
	if t.grader.Assert != nil {
		if n, ok := toFloat(t.grader.Assert.Config["threshold"]); ok {
			return &n
		}
	}
	return nil
}
