package api_test

import (
	"reflect"
	"testing"
)

// TestPlan plans runs where no program can start, by what settings and files say.
func TestPlan(t *testing.T) {
	const cases = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    expected_output: A\n    rubrics: [Says so]\n" +
		"  - id: b\n    expected_outcome: O\n    input: Q\n    expected_output: A\n    rubrics: []\n"
	const named = "execution: { target: prod }\n" + cases
	const evalset = `{"eval_set_id": "x", "eval_cases": [{"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Q"}]}, "final_response": {"parts": [{"text": "A"}]}}]}]}`
	const advice = "; choose another with rubric.target, such as `self`, which grades the file's own answers"
	for name, c := range map[string]struct {
		params map[string]any
		want   map[string]any // by path
	}{
		"nothing is set": {
			map[string]any{"text": cases, "settings": map[string]any{"target": "", "judge": "", "samples": nil}},
			map[string]any{"target": "self (expected output)", "judge": "offline", "questions": 0.0, "refused": nil, "trusted": true, "settings": map[string]any{"judge": "offline", "samples": 1.0, "profile": "spec"}},
		},
		"the project names a judge": {
			map[string]any{"text": cases, "project": "judge: editor\nsamples: 3\nprofile: agentv\nthreshold: 0.5\nrules: {}\n"},
			map[string]any{"judge": "editor", "questions": 3.0, "settings": map[string]any{"judge": "editor", "samples": 3.0, "profile": "agentv", "threshold": 0.5}},
		},
		"the settings count before it": {
			map[string]any{"text": cases, "project": "judge: editor\nsamples: 3\n", "settings": map[string]any{"judge": "offline", "samples": 1.0, "rules": map[string]any{}}},
			map[string]any{"judge": "offline", "settings": map[string]any{"judge": "offline", "samples": 1.0, "profile": "spec"}},
		},
		"the file names a target": {
			map[string]any{"text": named},
			map[string]any{"target": "prod", "refused": "x.eval.yaml names the target `prod`: no target is available in the browser" + advice},
		},
		"the settings choose another": {
			map[string]any{"text": named, "settings": map[string]any{"target": "self"}},
			map[string]any{"target": "self (expected output)", "refused": nil},
		},
		"another judge": {
			map[string]any{"text": cases, "settings": map[string]any{"judge": "openai:m"}},
			map[string]any{"judge": "openai:m", "refused": "judge: `openai:m` is not available in the browser; choose `offline`, or `editor`, the editor's own model"},
		},
		"an agent": {
			map[string]any{"path": "x.evalset.json", "text": evalset, "project": "target: adk:http://localhost:8000\n"},
			map[string]any{"refused": ".rubric.yaml names the target `adk:http://localhost:8000`: no target is available in the browser" + advice},
		},
		"a recording of it": {
			map[string]any{"path": "x.evalset.json", "text": evalset, "recorded": evalset, "project": "target: adk:http://localhost:8000\n"},
			map[string]any{"refused": nil},
		},
		"untrusted": {
			map[string]any{"text": named, "untrusted": true},
			map[string]any{"trusted": false, "refused": "nothing is run: this workspace is not trusted, and x.eval.yaml names the target `prod`; trust the workspace in your editor first"},
		},
		"a case with an error": {
			map[string]any{"text": cases},
			map[string]any{"cases": []any{map[string]any{"case": "a", "graders": []any{map[string]any{"name": "rubric", "type": "llm_judge", "criteria": 1.0}}}}},
		},
		"no other case": {
			map[string]any{"text": cases, "case": "b"},
			map[string]any{"cases": []any{}},
		},
	} {
		if c.params["path"] == nil {
			c.params["path"] = "x.eval.yaml"
		}
		result := call(t, "plan", c.params)["result"]
		if result == nil {
			t.Errorf("%s: %v", name, call(t, "plan", c.params))
			continue
		}
		for path, want := range c.want {
			if got := at(result, path); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %v, not %v", name, path, got, want)
			}
		}
	}
}
