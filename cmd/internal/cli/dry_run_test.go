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
		{"--judge openai:m", 0, 0, 3, 0, ""},
		{"--judge openai:m --samples 4 --case a", 0, 0, 4, 0, ""},
		{"--target model", 0, 3, 3, 0, ""},
		{"--target cli:touch --judge cli:touch", 0, 3, 3, 0, ""},
		{"--target command --judge command", 0, 3, 3, 0, ""},
		{"--target keyless", 2, 0, 0, 0, "it is not said where `azure` is"},
		{"--judge openai:m --resume --out DIR/r.jsonl", 2, 0, 0, 0, "does not go with --resume"},
		{"KEEP", 0, 0, 1, 2, ""}, // a and b are one question,
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
	if _, stdout, _ := rubric(t, "", "run", file, "--dry-run", "--target", "model"); !strings.HasPrefix(stdout, "3 cases; nobody was asked\ntarget: 3 calls\njudge:  3 calls, and 0 kept") || !strings.Contains(stdout, "come on top") {
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
