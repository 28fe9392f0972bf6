package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/wasm/api"
)

const evalFile = "evalcases:\n  - id: a\n    expected_outcome: Greets\n    input: Hi\n    rubrics:\n      - Greets\n      - { id: tone, weight: 3, score_ranges: { 0: Cold, 5: Warm } }\n  - id: b\n    expected_outcome: Thanks\n    input: Bye 😀\n    wieght: 1\n"

const assertions = "prompts: [Hi]\nproviders: [echo]\ntests:\n  - assert:\n      - { type: contains, value: Hi }\n      - { type: rouge-n, value: Hi }\n"

func call(t *testing.T, method string, params map[string]any) map[string]any {
	t.Helper()
	line, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	var reply map[string]any
	if err := json.Unmarshal(api.Call(line), &reply); err != nil {
		t.Fatal(err)
	}
	return reply
}

// at follows a path of keys and indexes.
func at(v any, path ...any) any {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[s]
		case int:
			list, _ := v.([]any)
			if s >= len(list) {
				return nil
			}
			v = list[s]
		}
	}
	return v
}

func TestMethods(t *testing.T) {
	reply := `{"checks":[{"id":"rubric-1","satisfied":true,"reasoning":"x"},{"id":"tone","score":5,"reasoning":"y"}],"overall_reasoning":"z"}`
	drafted := `{"rubrics":[{"id":"x","expected_outcome":"X"},{"id":"y","expected_outcome":"Y"},{"id":"z","expected_outcome":"Z"}]}`
	evalset := "{\"eval_set_id\": \"s\", \"eval_cases\": [\n {\"eval_id\": \"a\", \"conversation\": []},\n {\"conversation\": []}\n]}"
	typed := []any{map[string]any{"id": "rubric-1", "satisfied": true}, map[string]any{"id": "tone", "score": 6}}
	for _, c := range []struct {
		name   string
		method string
		params map[string]any
		path   []any
		want   any
	}{
		{"version", "version", nil, []any{"result", "abi"}, 1.0},
		{"version's dialects", "version", nil, []any{"result", "dialects", 0}, "agentv"},
		{"check", "check", map[string]any{"text": evalFile}, []any{"result", "diagnostics", 0, "code"}, "unknown-key"},
		{"check in UTF-16", "check", map[string]any{"text": "evalcases: 😀 #"}, []any{"result", "diagnostics", 0, "range", "end", "character"}, 13.0},
		{"check without the fault", "check", map[string]any{"text": evalFile[:strings.Index(evalFile, "    wieght")]}, []any{"result", "diagnostics", 0}, nil},
		{"suite", "suite", map[string]any{"text": evalFile}, []any{"result", "cases", 0, "rubrics", 1, "score_ranges", 1, "score_range", 1}, 10.0},
		{"suite's defaults", "suite", map[string]any{"text": evalFile}, []any{"result", "cases", 0, "rubrics", 0, "required"}, true},
		{"suite's ranges have none", "suite", map[string]any{"text": evalFile}, []any{"result", "cases", 0, "rubrics", 1, "required"}, false},
		{"suite of JSONL", "suite", map[string]any{"text": `{"id":"x","expected_outcome":"O","input":"Q"}`, "path": "x.jsonl"}, []any{"result", "cases", 0, "id"}, "x"},
		{"suite of one case", "suite", map[string]any{"text": evalFile, "case": "b"}, []any{"result", "cases", 0, "id"}, "b"},
		{"suite of one case has no other", "suite", map[string]any{"text": evalFile, "case": "b"}, []any{"result", "cases", 1}, nil},
		{"suite of an unknown case", "suite", map[string]any{"text": evalFile, "case": "zz"}, []any{"error", "code"}, "unknown-case"},
		{"cases", "cases", map[string]any{"text": evalFile}, []any{"result", 1, "id"}, "b"},
		{"cases have their places", "cases", map[string]any{"text": evalFile}, []any{"result", 0, "range", "start", "line"}, 1.0},
		{"cases of an evalset", "cases", map[string]any{"text": evalset, "path": "x.evalset.json"}, []any{"result", 0, "id"}, "a"},
		{"cases of an evalset have their places", "cases", map[string]any{"text": evalset, "path": "x.evalset.json"}, []any{"result", 0, "range", "start", "character"}, 13.0},
		{"cases of an evalset without ids have theirs", "cases", map[string]any{"text": evalset, "path": "x.evalset.json"}, []any{"result", 1, "range", "end", "character"}, 2.0},
		{"prompt of an unknown case", "prompt", map[string]any{"text": evalFile, "case": "zz"}, []any{"error", "code"}, "unknown-case"},
		{"prompt of which case", "prompt", map[string]any{"text": evalFile}, []any{"error", "code"}, "bad-params"},
		{"score a case", "score", map[string]any{"text": evalFile, "case": "a", "reply": reply}, []any{"result", "score"}, (1 + 3*0.5) / 4},
		{"score an object", "score", map[string]any{"text": evalFile, "case": "a", "reply": json.RawMessage(reply)}, []any{"result", "verdict"}, "borderline"},
		{"score as the reference", "score", map[string]any{"text": evalFile, "case": "a", "reply": reply, "profile": "agentv"}, []any{"result", "problems", 0}, "check 1: `score` is missing; it must be a whole number from 0 to 10"},
		{"score rubrics", "score", map[string]any{"rubrics": []any{"Greets"}, "reply": reply}, []any{"result", "grades", 0, "satisfied"}, true},
		{"score a free-form reply", "score", map[string]any{"text": evalFile, "case": "b", "reply": `{"score":0.9,"hits":[],"misses":[]}`}, []any{"result", "score"}, 0.9},
		{"score in no profile", "score", map[string]any{"text": evalFile, "case": "a", "reply": reply, "profile": "x"}, []any{"error", "code"}, "bad-params"},
		{"score nothing", "score", map[string]any{"rubrics": []any{}, "reply": reply}, []any{"error", "code"}, "bad-params"},
		{"score no reply", "score", map[string]any{"text": evalFile, "case": "a"}, []any{"error", "code"}, "bad-params"},
		{"score both", "score", map[string]any{"text": evalFile, "rubrics": []any{"x"}, "reply": reply}, []any{"error", "code"}, "bad-params"},
		{"draft", "draft", map[string]any{"text": evalFile, "case": "b", "reply": drafted}, []any{"result", "edits", 0, "range", "start", "line"}, 10.0},
		{"draft without a judge", "draft", map[string]any{"text": evalFile, "case": "b"}, []any{"result", "edits", 0, "range", "start", "line"}, 10.0},
		{"draft rubbish", "draft", map[string]any{"text": evalFile, "case": "b", "reply": "no"}, []any{"result", "text"}, evalFile},
		{"draft over a rubric", "draft", map[string]any{"text": evalFile, "case": "a", "reply": drafted}, []any{"result", "edits", 0}, nil},
		{"grade", "grade", map[string]any{"text": evalFile, "case": "a", "grades": typed}, []any{"result", "score"}, (1 + 3*0.6) / 4},
		{"grade what is not there", "grade", map[string]any{"text": evalFile, "case": "a", "grades": []any{map[string]any{"id": "tnoe"}}}, []any{"error", "message"}, "the case `a` has no criterion `tnoe`; did you mean `tone`?"},
		{"flip a gate", "flip", map[string]any{"text": evalFile, "case": "a", "grades": typed}, []any{"result", "flips", 0, "verdict"}, "fail"},
		{"flip downwards", "flip", map[string]any{"text": evalFile, "case": "a", "grades": typed}, []any{"result", "flips", 1, "score"}, 4.0},
		{"flip upwards", "flip", map[string]any{"text": evalFile, "case": "a", "grades": typed}, []any{"result", "flips", 2, "score"}, 8.0},
		{"what that is worth", "flip", map[string]any{"text": evalFile, "case": "a", "grades": typed}, []any{"result", "flips", 2, "verdict"}, "pass"},
		{"flip nothing", "flip", map[string]any{"text": evalFile, "case": "a", "grades": []any{}}, []any{"result", "flips", 0}, nil},
		{"suite of an assertion that says yes or no", "suite", map[string]any{"text": assertions, "path": "promptfooconfig.yaml"}, []any{"result", "cases", 0, "evaluators", 0, "yes_no"}, true},
		{"suite of an assertion with a score", "suite", map[string]any{"text": assertions, "path": "promptfooconfig.yaml"}, []any{"result", "cases", 0, "evaluators", 1, "yes_no"}, nil},
		{"suite of a case without evaluators", "suite", map[string]any{"text": evalFile, "case": "b"}, []any{"result", "cases", 0, "evaluators", 0, "name"}, "llm_judge"},
		{"flip a judge's score", "flip", map[string]any{"text": evalFile, "case": "b", "grades": []any{map[string]any{"grader": "llm_judge", "score": 1}}}, []any{"result", "flips", 0, "score"}, 0.75},
		{"flip it further", "flip", map[string]any{"text": evalFile, "case": "b", "grades": []any{map[string]any{"grader": "llm_judge", "score": 1}}}, []any{"result", "flips", 1, "verdict"}, "fail"},
		{"rules", "rules", nil, []any{"result", 0, "severity"}, "error"},
		{"explain", "explain", map[string]any{"rule": "unknown-key"}, []any{"result", "id"}, "unknown-key"},
		{"explain a misspelt rule", "explain", map[string]any{"rule": "unknwon-key"}, []any{"error", "message"}, "there is no rule `unknwon-key`; did you mean `unknown-key`?"},
		{"schema", "schema", map[string]any{"name": "agentv"}, []any{"result", "schema", "$schema"}, "http://json-schema.org/draft-07/schema#"},
		{"schema of nothing", "schema", map[string]any{"name": "agentx"}, []any{"error", "code"}, "bad-params"},
		{"a text for a number", "hover", map[string]any{"text": "", "position": map[string]any{"line": "x"}}, []any{"error", "message"}, "`position.line` is a text, not a whole number"},
		{"a fraction", "hover", map[string]any{"text": "", "position": map[string]any{"line": 1.5}}, []any{"error", "message"}, "`position.line` is the number 1.5, not a whole number"},
		{"no file", "check", map[string]any{}, []any{"error", "code"}, "bad-params"},
		{"two files", "check", map[string]any{"text": "", "document": "x"}, []any{"error", "code"}, "bad-params"},
		{"a document that is not open", "check", map[string]any{"document": "x"}, []any{"error", "code"}, "not-open"},
		{"an edit of one", "edit", map[string]any{"document": "x", "changes": []any{}}, []any{"error", "code"}, "not-open"},
		{"forgetting one", "forget", map[string]any{"document": "x"}, []any{"error", "code"}, "not-open"},
		{"a document without a name", "open", map[string]any{"text": ""}, []any{"error", "code"}, "bad-params"},
		{"score with an infinite weight", "score", map[string]any{"rubrics": json.RawMessage(`[{"id":"x","expected_outcome":"Greets","weight":1e400}]`), "reply": `{"checks":[{"id":"x","satisfied":true,"reasoning":"r"}]}`}, []any{"error", "message"}, "the text has the number +Inf, which cannot be scored; write a finite one"},
		{"that is a fault of the parameters", "score", map[string]any{"rubrics": json.RawMessage(`[{"id":"x","expected_outcome":"Greets","weight":1e400}]`), "reply": `{"checks":[]}`}, []any{"error", "code"}, "bad-params"},
		{"run with an infinite weight", "run", map[string]any{"text": "evalcases:\n  - { id: a, input: Q, expected_outcome: O, rubrics: [{ id: x, expected_outcome: X, weight: .inf }] }\n", "case": "a"}, []any{"error", "message"}, "line 2: `weight` is .inf; expected a number of at least 0"},
		{"a span beyond the text", "resolve", map[string]any{"text": evalFile, "data": map[string]any{"refactor": "0", "span": map[string]any{"start": 1}}}, []any{"error", "code"}, "bad-params"},
		{"a place beyond the text", "resolve", map[string]any{"text": evalFile, "data": map[string]any{"refactor": "weights", "span": map[string]any{"start": 9999, "end": 9999}}}, []any{"error", "message"}, "the span of the action is outside the text"},
		{"a place before it", "resolve", map[string]any{"text": evalFile, "path": "x.jsonl", "data": map[string]any{"ignore": true, "rule": "x", "span": map[string]any{"start": -1, "end": 0}}}, []any{"error", "code"}, "bad-params"},
		{"data that is not ours", "resolve", map[string]any{"text": evalFile, "data": 7}, []any{"error", "code"}, "bad-params"},
		{"an unknown method", "chekc", nil, []any{"error", "code"}, "unknown-method"},
		{"the one that was meant", "chekc", nil, []any{"error", "message"}, "there is no method `chekc`; did you mean `check`?"},
		{"a number for a text", "check", map[string]any{"text": 5}, []any{"error", "message"}, "`text` is a number, not a text"},
		{"an unknown parameter", "check", map[string]any{"txet": "x"}, []any{"error", "code"}, "bad-params"},
		{"a misspelt parameter", "check", map[string]any{"txet": "x"}, []any{"error", "message"}, "there is no parameter `txet`; did you mean `text`?"},
		{"a misspelt parameter within another", "hover", map[string]any{"text": "x", "position": map[string]any{"line": 0, "charcter": 1}}, []any{"error", "message"}, "there is no parameter `charcter`; did you mean `character`?"},
		{"a strange parameter within another", "hover", map[string]any{"text": "x", "position": map[string]any{"zzzzz": 1}}, []any{"error", "message"}, "there is no parameter `zzzzz`"},
		{"a strange parameter", "explain", map[string]any{"zzzzz": "x"}, []any{"error", "message"}, "there is no parameter `zzzzz`; there is `rule`"},
		{"a strange parameter among several", "check", map[string]any{"zzzzz": "x"}, []any{"error", "message"}, "there is no parameter `zzzzz`; there are `text`, `path` and `document`"},
		{"a parameter without a name", "check", map[string]any{"": 1}, []any{"error", "message"}, "there is no parameter ``; there are `text`, `path` and `document`"},
		{"a parameter of a method that has none", "version", map[string]any{"zzzzz": "x"}, []any{"error", "message"}, "there is no parameter `zzzzz`; the method has none"},
		{"no rule", "explain", map[string]any{}, []any{"error", "message"}, "`rule` is missing; `rules` lists them"},
		{"no document", "forget", map[string]any{}, []any{"error", "message"}, "`document` is missing; give the name of an open document"},
		{"a misspelt metric", "metric", map[string]any{"name": "safety"}, []any{"error", "message"}, "there is no metric `safety`; did you mean `safety_v1`?"},
		{"a misspelt provider", "request", map[string]any{"provider": "opanai"}, []any{"error", "message"}, "there is no provider `opanai`; did you mean `openai`?"},
	} {
		if got := at(call(t, c.method, c.params), c.path...); got != c.want {
			t.Errorf("%s: %v is %v, want %v", c.name, c.path, got, c.want)
		}
	}
}

// TestPrompt checks the exact question to a judge.
func TestPrompt(t *testing.T) {
	answer := "Hello there"
	got := call(t, "prompt", map[string]any{"text": evalFile, "case": "a", "answer": answer})
	user, _ := at(got, "result", "user").(string)
	if !strings.Contains(user, answer) || !strings.Contains(user, "`tone` (0–10)") || at(got, "result", "schema", "type") != "object" {
		t.Errorf("%v", got)
	}
	placeholder := call(t, "prompt", map[string]any{"text": evalFile, "case": "b"})
	if user, _ := at(placeholder, "result", "user").(string); !strings.Contains(user, "{{ candidate_answer }}") {
		t.Errorf("%v", placeholder)
	}
}

// TestDraftIsReadable checks that a draft is the text with a rubric that can be graded.
func TestDraftIsReadable(t *testing.T) {
	reply := map[string]any{"rubrics": []any{
		map[string]any{"id": "x", "expected_outcome": "Says \"thanks: a lot\"", "weight": 2, "required": false},
		map[string]any{"id": "y", "expected_outcome": "Y"}, map[string]any{"id": "z", "expected_outcome": "Z"},
	}}
	drafted, _ := at(call(t, "draft", map[string]any{"text": evalFile, "case": "b", "reply": reply}), "result", "text").(string)
	got := call(t, "suite", map[string]any{"text": drafted})
	if at(got, "result", "cases", 1, "rubrics", 0, "expected_outcome") != `Says "thanks: a lot"` || at(got, "result", "cases", 1, "rubrics", 0, "weight") != 2.0 {
		t.Errorf("%v of\n%s", got, drafted)
	}
}

func FuzzCall(f *testing.F) {
	for _, line := range []string{"", "{}", "5", `{"method":"version"}`, `{"id":[1],"method":"check","params":{"text":"a: ["}}`, `{"method":"score","params":{"rubrics":[{}],"reply":{}}}`,
		`{"method":"draft","params":{"text":"evalcases:\n- id: a\n  outcome: o\n  input: q","case":"a","reply":"{\"rubrics\":[]}"}}`} {
		f.Add(line)
	}
	const deep = `{"line":-1,"character":9007199254740993}`
	for _, m := range api.Methods() {
		f.Add(`{"method":"` + m.Name + `","params":{"text":"evalcases:\n- id: a\n  rubrics: [x, {id: y}]","path":"x.yaml","position":` + deep + `}}`)
		f.Add(`{"method":"` + m.Name + `","params":{"text":"evalcases:\n- id: a\n","range":{"start":` + deep + `,"end":{"line":99,"character":-9}}}}`)
	}
	f.Add(`{"method":"open","params":{"document":"x","text":"evalcases:\n- id: a"}}`)
	f.Add(`{"method":"edit","params":{"document":"x","changes":[{"range":{"start":` + deep + `,"end":` + deep + `},"text":"\r"}]}}`)
	f.Add(`{"method":"resolve","params":{"data":{"uri":"x","rule":"unknown-key","fix":-1,"span":{"start":-5,"end":1073741825}}}}`)
	f.Add(`{"method":"resolve","params":{"text":"evalcases:\n- id: a","data":{"refactor":"weights","span":{"start":-5}}}}`)
	f.Add(`{"method":"resolve","params":{"text":"evalcases:\n- id: a","data":{"into":"5"}}}`)
	f.Add(`{"method":"selection","params":{"text":"a: b","positions":[` + deep + `]}}`)
	f.Fuzz(func(t *testing.T, line string) {
		reply := api.Call([]byte(line))
		if !json.Valid(reply) || strings.Contains(string(reply), `"code":"internal"`) {
			t.Fatalf("%s", reply)
		}
	})
}
