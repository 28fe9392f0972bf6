package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDryRun says what a run would ask, and neither asks, runs nor writes
// anything.
func TestDryRun(t *testing.T) {
	calls := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"checks\":[{\"id\":\"rubric-1\",\"satisfied\":true,\"reasoning\":\"so\"}],\"overall_reasoning\":\"so\"}"},"finish_reason":"stop"}]}`)
	}))
	defer site.Close()
	useTempCache(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", site.URL)
	dir := write(t, map[string]string{
		"x.eval.yaml": strings.NewReplacer("id: b, ", "id: b, execution: { evaluators: [{ name: code, type: code_judge, script: 'touch ran' }] }, ",
			"id: c, expected_outcome: O, input: Q", "id: c, expected_outcome: O, input: Another").Replace(three),
		"targets.yaml": "targets:\n  - { name: model, provider: openai, model: m, judge_target: command }\n" +
			"  - { name: command, provider: cli, command_template: 'touch ran', healthcheck: { type: command, command_template: 'touch ran' } }\n" +
			"  - { name: keyless, provider: azure, model: m }\n",
	})
	file := filepath.Join(dir, "x.eval.yaml")
	for _, c := range []struct {
		args        string
		code        int
		target, ask int
		cached      int
		fails       string
	}{
		{"", 0, 0, 0, 0, ""},
		{"--judge openai:m", 0, 0, 2, 1, ""}, // a and b are one question
		{"--judge openai:m --samples 4 --case a", 0, 0, 4, 0, ""},
		{"--target model", 0, 3, 3, 0, ""},
		{"--target cli:touch --judge cli:touch", 0, 3, 3, 0, ""},
		{"--target command --judge command", 0, 3, 3, 0, ""},
		{"--target keyless", 2, 0, 0, 0, "`azure` has no address"},
		{"--judge openai:m --resume --out DIR/r.jsonl", 2, 0, 0, 0, "cannot be combined with --resume"},
		{"KEEP", 0, 0, 1, 2, ""},
	} {
		if c.args == "KEEP" {
			if code, _, stderr := rubric(t, "", "run", file, "--judge", "openai:m", "--case", "a"); code != 0 || calls != 1 {
				t.Fatalf("%d, %d calls: %s", code, calls, stderr)
			}
			c.args = "--judge openai:m"
		}
		args := append([]string{"run", file, "--dry-run", "--allow-exec", "--format", "json", "--record", filepath.Join(dir, "tape"), "--out", filepath.Join(dir, "r.jsonl")},
			strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		code, stdout, stderr := rubric(t, "", args...)
		if code != c.code || !strings.Contains(stderr, c.fails) {
			t.Errorf("%s: %d, %s", c.args, code, stderr)
		}
		if c.code != 0 {
			continue
		}
		var plan struct {
			Target int    `json:"target_calls"`
			Judge  int    `json:"judge_calls"`
			Cached int    `json:"judgements_kept"`
			Input  [2]int `json:"judge_input_tokens"`
			Output [2]int `json:"judge_output_tokens"`
		}
		if err := json.Unmarshal([]byte(stdout), &plan); err != nil {
			t.Fatalf("%v: %s", err, stdout)
		}
		if plan.Target != c.target || plan.Judge != c.ask || plan.Cached != c.cached || (c.ask > 0) != (plan.Input[0] > 0 && plan.Input[1] > plan.Input[0] && plan.Output[1] > plan.Output[0]) {
			t.Errorf("%s: %+v", c.args, plan)
		}
	}
	if _, stdout, _ := rubric(t, "", "run", file, "--dry-run", "--target", "model"); !strings.HasPrefix(stdout, "3 cases; dry run, nothing was contacted\ntarget: 3 calls\njudge:  3 calls, and 0 cached") || !strings.Contains(stdout, "they add tokens and cost") {
		t.Errorf("%s", stdout)
	}
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(prices, []byte("openai:m: { input: 1000, output: 1000 }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for limits, want := range map[string]string{
		"--max-calls 2": "--max-calls may be reached", "--max-calls 1 --max-cost 0.1": "--max-calls and --max-cost may be reached", "--max-calls 9 --max-cost 99": "",
	} {
		args := append([]string{"run", file, "--dry-run", "--judge", "openai:m", "--samples", "2", "--prices", prices}, strings.Fields(limits)...)
		if _, stdout, stderr := rubric(t, "", args...); !strings.Contains(stdout, want) || want == "" && (stdout == "" || strings.Contains(stdout, "reached")) {
			t.Errorf("%s: %s%s", limits, stdout, stderr)
		}
	}
	entries, err := os.ReadDir(dir)
	if calls != 1 || err != nil || len(entries) != 2 {
		t.Errorf("%d calls; left behind: %v", calls, entries)
	}
}

// TestEffectiveSet shows what files of ADK come to: metrics with their defaults, the
// rubrics of each turn, and what is not evaluated, with the reason.
func TestEffectiveSet(t *testing.T) {
	dir := write(t, map[string]string{
		"test_config.json": `{"criteria": {"response_match_score": 0.7, "tool_trajectory_avg_score": {"threshold": 1, "ignore_args": true}, "hallucinations_v1": 0.9, "nope": 1,
 "rubric_based_tool_use_quality_v1": {"threshold": 0.8}}}`,
		"x.evalset.json": `{"eval_set_id": "x", "eval_cases": [
 {"eval_id": "a", "rubrics": [{"rubric_id": "looks", "rubric_content": {"text_property": "Looks it up."}, "type": "TOOL_USE_QUALITY"}], "conversation": [
  {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]},
 {"eval_id": "b", "conversation": [
  {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]}]}`,
	})
	_, config, _ := rubric(t, "", "check", "--effective", filepath.Join(dir, "test_config.json"))
	_, set, _ := rubric(t, "", "check", "--effective", filepath.Join(dir, "x.evalset.json"))
	for _, want := range []string{
		"│ response_match_score passes from 0.7", "│ tool_trajectory_avg_score passes from 1; calls match as EXACT, by names only",
		"│ hallucinations_v1 passes from 0.9; asks a judge 2 questions for each answer", "✗ nope is not evaluated", "✗ unknown metric `nope`",
		"│ rubric_based_tool_use_quality_v1 passes from 0.8; asks a judge 5 questions for each turn",
	} {
		if !strings.Contains(config, want) {
			t.Errorf("%q is not in\n%s", want, config)
		}
	}
	for _, want := range []string{
		"measured by test_config.json: response_match_score from 0.7; ", "nope, which is not evaluated", "│ case a, 1 turn",
		"│   turn 1, rubric_based_tool_use_quality_v1 by looks", "✗   turn 1, rubric_based_tool_use_quality_v1 is not evaluated: there are no rubrics to judge by",
		"✗ no turn of this file expects a tool call",
	} {
		if !strings.Contains(set, want) {
			t.Errorf("%q is not in\n%s", want, set)
		}
	}
	if _, alone, stderr := rubric(t, `{"criteria": {"safety_v1": 1}}`, "check", "--effective", "-"); !strings.Contains(alone+stderr, "safety_v1 passes from 1") {
		t.Errorf("%s%s", alone, stderr)
	}
	if _, alone, stderr := rubric(t, `{"eval_set_id": "x", "eval_cases": []}`, "check", "--effective", "-"); !strings.Contains(alone+stderr, "so ADK's defaults: tool_trajectory_avg_score from 1; response_match_score from 0.8") {
		t.Errorf("%s%s", alone, stderr)
	}
}

// TestDryRunMetrics says of each metric how often it asks a judge, or that it asks
// nobody.
func TestDryRunMetrics(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "k-1")
	useTempCache(t)
	_, stdout, stderr := rubric(t, "", "run", banking, "--recorded", visits, "--dry-run", "--judge", "openai:m", "--moderation", "openai")
	for _, want := range []string{
		"4 cases; dry run, nothing was contacted\n  tool_trajectory_avg_score               no questions, no cost\n",
		"final_response_match_v2                 3 questions for each turn", "hallucinations_v1                       2 questions for each text, those on the way to the answer too",
		"safety_v1                               1 question for each turn, to the moderation endpoint", "judge:  ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s%s", want, stdout, stderr)
		}
	}
	if strings.Contains(stdout, "target:") {
		t.Errorf("no target answers recorded conversations:\n%s", stdout)
	}
}

// TestDryRunWithoutKey: a plan asks nobody, so it needs no key. It names the cases that
// have no answer to grade.
func TestDryRunWithoutKey(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	file := filepath.Join(write(t, map[string]string{
		"x.eval.yaml": "evalcases:\n  - { id: a, expected_outcome: Greets, input: Hello, expected_output: Hi, rubrics: [Says hi] }\n  - { id: b, expected_outcome: Greets, input: Hello, rubrics: [Says hi] }\n",
	}), "x.eval.yaml")
	code, stdout, stderr := rubric(t, "", "run", file, "--dry-run", "--judge", "openai:gpt-4o-mini", "--no-cache")
	for _, want := range []string{"judge:  1 call, and 0 cached\n", "        `b` is not graded: the target gave no answer: the case `b` has no expected output to answer with\n", "judge `openai:gpt-4o-mini` asks api.openai.com"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%d: no %q in\n%s%s", code, want, stdout, stderr)
		}
	}
}
