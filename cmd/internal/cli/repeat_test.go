package cli_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestRepeat: a run of models, judged by models, is repeated without any of them by its
// recording and its results.
func TestRepeat(t *testing.T) {
	m := mocked(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	dir := write(t, map[string]string{
		"targets.yaml": "targets:\n  - { name: it, provider: openai, model: m }\n",
		"x.eval.yaml": "evalcases:\n  - { id: p, expected_outcome: O, input: Question number 10, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B, required: false }] }\n" +
			"  - { id: q, expected_outcome: O, input: Question number 21, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n",
	})
	run := func(target, judge, out string) (all []map[string]any) {
		t.Helper()
		args := append([]string{"run", filepath.Join(dir, "x.eval.yaml"), "--no-cache", "--target", target, "--out", filepath.Join(dir, out)}, strings.Fields(judge)...)
		if code, stdout, stderr := rubric(t, "", args...); code != 1 {
			t.Fatalf("%d\n%s%s", code, stdout, stderr)
		}
		for line := range strings.Lines(body(t, filepath.Join(dir, out))) {
			var record map[string]any
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"target", "judge"} {
				delete(record, key)
			}
			for _, g := range record["evaluator_results"].([]any) {
				for _, reply := range g.(map[string]any)["replies"].([]any) {
					delete(reply.(map[string]any), "kept")
				}
			}
			all = append(all, record)
		}
		return all
	}
	tape := filepath.Join(dir, "tape.jsonl")
	first, asked := run("it", "--judge openai:m --record "+tape, "a.jsonl"), m.calls
	second := run(filepath.Join(dir, "a.jsonl"), "--replay "+tape, "b.jsonl")
	if asked != 4 || m.calls != asked || len(first) != 2 || !reflect.DeepEqual(first, second) {
		t.Errorf("%d calls, then %d more:\n%v\n%v", asked, m.calls-asked, first, second)
	}
}
