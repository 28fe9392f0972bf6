package grade

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// gradeScript runs a program as the judge by the later dialects' rules. It prints an object with
// its verdict; with any other output its exit code is the verdict.
func (t task) gradeScript(ctx context.Context, code rubric.Code) Outcome {
	stdin, err := t.encodeScriptInput(code.Config)
	if err != nil {
		return t.programFailure(err)
	}
	out, err := t.execCommand(ctx, Command{Argv: code.Argv, Dir: code.Dir, Stdin: stdin})
	if err != nil {
		return t.programFailure(err)
	}
	stdout := javascript.TrimSpace(string(out.Stdout))
	value, err := t.parseOutput(stdout)
	output, isObject := value.(map[string]any)
	switch begun := strings.HasPrefix(stdout, "{"); {
	case out.Code != 0 && (begun || strings.HasPrefix(stdout, "[") || javascript.TrimSpace(string(out.Stderr)) != ""), crashed(out.Code) && !t.isReference():
		return t.programFailure(exitError(out))
	case isObject:
		return Outcome{Result: t.scriptResult(output, t.ports.Profile)}
	case begun && (!t.isReference() || json.Valid([]byte(stdout))):
		return Outcome{Result: t.missingData("the program printed no usable JSON object: " + err.Error())}
	case !utf8.Valid(out.Stdout) && !t.isReference():
		return Outcome{Result: score.UngradedResult("what the program printed is not UTF-8")}
	case begun:
		problem := fmt.Sprintf("profile `%s` takes the exit code as the verdict, although the output begins like JSON: %s", t.ports.Profile, err)
		return Outcome{Result: findingResult(out.Code == 0, stdout), Problems: []string{problem}}
	}
	return Outcome{Result: findingResult(out.Code == 0, cmp.Or(stdout, fmt.Sprintf("the program exited with code %d", out.Code)))}
}

// crashed reports whether an exit code says that a signal ended a program, or that a shell could not
// run it.
func crashed(code int) bool { return code < 0 || code >= 126 }

// parseOutput decodes a program's output as one JSON value. By the rules no object may repeat a
// key; in the reference the last one wins.
func (t task) parseOutput(stdout string) (any, error) {
	if t.isReference() {
		return decodeJSON(stdout)
	}
	return decodeUniqueKeys(stdout)
}

// scriptResult reads the object that a script printed: its score, or else the mean of its checks,
// or else its verdict. Release 4 of the reference ignores `pass` and `checks`, and the later one
// ignores `assertions`.
func (t task) scriptResult(output map[string]any, protocol score.Profile) score.Result {
	strict, release4 := !protocol.IsReference(), protocol == score.AgentV4
	if wrong := typeProblem(output); wrong != "" && strict {
		return score.UngradedResult("the program's " + wrong)
	}
	list, _ := output["checks"].([]any)
	if release4 || list == nil && protocol != score.AgentVHead {
		list, _ = output["assertions"].([]any)
	}
	pass, verdict := output["pass"].(bool)
	value, scored := output["score"].(float64)
	verdict = verdict && !release4
	var d DecodedReply
	n, sum := 0, 0.0
	for i, item := range list {
		worth, ok := d.addScriptCheck(item, protocol)
		if ok {
			n++
			sum += worth
		} else if strict && !scored {
			return score.UngradedResult(fmt.Sprintf("check %d of the program has no `text` and `pass`", i+1))
		}
	}
	switch {
	case scored:
	case n > 0:
		value = sum / float64(n)
	case verdict:
		value = readScore(nil, pass)
	case !release4:
		return t.missingData("the program printed neither `pass` nor `score` nor `checks`")
	}
	reason, _ := output["reason"].(string)
	r := score.PlainResult(value, d.Hits, d.Misses, reason)
	if verdict {
		if r.Verdict = score.Fail; pass {
			r.Verdict = score.Pass
		}
		if !pass && strict {
			r.Gates = append(r.Gates, score.Gate{ID: "pass", Reason: "the program says that it does not pass"})
		}
	}
	if details, ok := output["details"].(map[string]any); ok {
		r.Details = details
	}
	return r
}

// addScriptCheck adds one check of a script to the findings and returns its score, 0 to 1. It
// returns false for an item that is not a check.
func (d *DecodedReply) addScriptCheck(item any, protocol score.Profile) (worth float64, ok bool) {
	check, _ := item.(map[string]any)
	text, ok := check["text"].(string)
	pass, isBool := check["pass"].(bool)
	own := check["score"]
	switch protocol {
	case score.AgentV4:
		pass, isBool, own = javascript.IsTrue(check["passed"]), true, nil
	case score.AgentVHead:
		_, given := check["reason"].(string)
		ok = ok && given
	default:
		if !isBool {
			pass, isBool = check["passed"].(bool)
		}
	}
	if !ok || !isBool {
		return 0, false
	}
	d.addFinding(pass, text, firstText(check, "reason", "evidence"))
	return readScore(own, pass), true
}

// typeProblem returns the first part of a script's object with the wrong type, "" if there is none.
// Null counts as absent.
func typeProblem(output map[string]any) string {
	for _, part := range []struct {
		key   string
		like  any
		wants string
	}{
		{"pass", false, "true or false"}, {"score", 0.0, "a number"}, {"checks", []any{}, "a list"}, {"assertions", []any{}, "a list"},
	} {
		if value := output[part.key]; value != nil && reflect.TypeOf(value) != reflect.TypeOf(part.like) {
			return fmt.Sprintf("`%s` %s", part.key, wrongValue(value, part.wants))
		}
	}
	return ""
}
