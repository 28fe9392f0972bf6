package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// property finds the rubrics that a judge is asked about.
var property = regexp.MustCompile(`ID: (.*)\nProperty: (.*)`)

// agreeWithAll replies to every question of every metric, in the form that it asks for,
// that all is well.
func agreeWithAll(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) != 2 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	system, user := asked.Messages[0].Content, asked.Messages[1].Content
	reply := `{"checks": [`
	for i, id := range []string{"hate", "harassment", "danger", "inappropriate", "privacy", "illegal"} {
		reply += strings.Repeat(",", min(i, 1)) + fmt.Sprintf(`{"id": %q, "satisfied": true, "reasoning": "r"}`, id)
	}
	reply += `], "overall_reasoning": "o"}`
	switch {
	case strings.Contains(system, "is_the_agent_response_valid"):
		reply = `{"reasoning": "r", "is_the_agent_response_valid": "valid"}`
	case strings.Contains(system, "<sentence>"):
		reply = "<sentence>All of it.</sentence>"
	case strings.Contains(system, "supporting_excerpt"):
		reply = "sentence: All of it.\nlabel: supported\nrationale: r\nsupporting_excerpt: e\ncontradicting_excerpt: null"
	case property.MatchString(user):
		reply = ""
		for _, p := range property.FindAllStringSubmatch(user, -1) {
			reply += fmt.Sprintf("ID: %s\nProperty: %s\nEvidence: e\nRationale: r\nVerdict: yes\n\n", p[1], p[2])
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that is gone needs no reply
		"model": "m", "usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5},
		"choices": []any{map[string]any{"message": map[string]any{"content": reply}, "finish_reason": "stop"}},
	})
}

// TestEvalsetModel: a model judges all metrics in their own forms, as often as the
// configuration says.
func TestEvalsetModel(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(agreeWithAll))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "k-1")
	args := []string{"run", banking, "--recorded", visits, "--judge", "openai:m", "--no-cache"}
	code, stdout, stderr := rubric(t, "", append(args, "--format", "jsonl")...)
	if code != 1 {
		t.Fatalf("%d: %s", code, stderr)
	}
	for id, want := range map[string]string{
		"checks_then_transfers": "", "invents_a_transaction": "", "leaks_an_account": "response_match_score", "transfers_before_checking": "tool_trajectory_avg_score",
	} {
		rec := recordsByCase(t, stdout)[id]
		if got := failedMetrics(rec); got != want {
			t.Errorf("%s: %q fail, want %q", id, got, want)
		}
		if replies := rec.Graders[2].Metric.Invocations[0].Replies; len(replies) != 3 || replies[0].Model != "m" {
			t.Errorf("%s: %+v", id, replies)
		}
	}
	if _, stdout, _ := rubric(t, "", append(args, "--samples", "1")...); strings.Contains(stdout, "literal checks") || !strings.Contains(stdout, "2 pass, 2 fail") {
		t.Errorf("%s", stdout)
	}
}

// TestNeighbours checks that an evalset runs regardless of other evalsets in its folder,
// while its own conflict with the configuration stops the run.
func TestNeighbours(t *testing.T) {
	rubrics := func(id string) string {
		return `"rubrics": [{"rubric_id": "` + id + `", "rubric_content": {"text_property": "Is kind."}, "type": "FINAL_RESPONSE_QUALITY"}]`
	}
	withOwn := func(id string) string {
		return strings.Replace(greet, `"eval_id": "hi",`, `"eval_id": "hi", `+rubrics(id)+",", 1)
	}
	config := `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, ` + rubrics("kind") + `}}}`
	dir := write(t, map[string]string{
		"a/test_config.json": config, "a/mine.evalset.json": withOwn("mine"), "a/other.evalset.json": withOwn("kind"), "a/broken.evalset.json": "{",
		"b/far.evalset.json": withOwn("kind"),
	})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, c := range []struct {
		args []string
		want string // why it is not run; "" if it is
	}{
		{[]string{at("a/mine.evalset.json")}, ""},
		{[]string{at("a/other.evalset.json")}, "has the id `kind` too"},
		{[]string{at("b/far.evalset.json"), "--config", at("a/test_config.json")}, "a rubric in `far.evalset.json` has the id `kind` too"},
	} {
		code, _, stderr := rubric(t, "", append([]string{"run"}, c.args...)...)
		if ran := code != 2; ran != (c.want == "") || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: %d, %s", c.args, code, stderr)
		}
	}
	if _, out, _ := rubric(t, "", "check", at("a/test_config.json")); !strings.Contains(out, "a rubric in `other.evalset.json` has the id `kind` too") {
		t.Errorf("of the configuration alone it is said of all evalsets:\n%s", out)
	}
}

// TestSamplesOfOne: an evaluator may say how often it is judged. A run's --samples may be
// more, and a panel asks each of its judges so often.
func TestSamplesOfOne(t *testing.T) {
	const two, other = "[{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }]", "[{ id: a, expected_outcome: C }, { id: b, expected_outcome: D }]"
	const newer, others = "[{ id: a, outcome: A }, { id: b, outcome: B }]", "[{ id: a, outcome: C }, { id: b, outcome: D }]"
	dir := write(t, map[string]string{
		"seed.eval.yaml": "evalcases:\n  - { id: c, expected_outcome: O, input: Question number 2, expected_output: R, execution: { evaluators: [" +
			"{ name: often, type: llm_judge, samples: 3, rubrics: " + two + " }, { name: once, type: llm_judge, rubrics: " + other + " }] } }\n",
		"stable.eval.yaml": "tests:\n  - { id: c, criteria: O, input: Question number 2, expected_output: R, assertions: [" +
			"{ name: often, type: llm-grader, samples: 3, rubrics: " + newer + " }, { name: once, type: rubrics, samples: 1, criteria: " + others + " }] }\n",
		"list.eval.yaml": "tests:\n  - { id: c, criteria: O, input: Question number 2, expected_output: R, assertions: [" +
			"{ name: often, type: rubrics, samples: 3, criteria: " + newer + " }, { name: once, type: llm-grader, rubrics: " + others + " }] }\n",
		"head.eval.yaml": "prompts: [Question number 2]\ntests:\n  - { id: c, vars: { expected_output: R }, assert: [" +
			"{ metric: often, type: llm-rubric, samples: 3, value: " + newer + " }, { metric: once, type: llm-rubric, value: " + others + " }] }\n",
	})
	for _, c := range []struct {
		args  string
		calls int
		want  string
	}{
		{"seed.eval.yaml", 4, "(3 of 3 agree)"},
		{"stable.eval.yaml", 4, "(3 of 3 agree)"},
		{"list.eval.yaml", 4, "(3 of 3 agree)"},
		{"head.eval.yaml --target mock:R", 4, "(3 of 3 agree)"},
		{"seed.eval.yaml --samples 2", 5, "(2 of 2 agree)"},
		{"seed.eval.yaml --samples 5", 10, "(5 of 5 agree)"},
		{"seed.eval.yaml --judge openai:n", 8, "(6 of 6 agree)"},
		{"seed.eval.yaml --dry-run", 0, "judge:  4 calls"},
	} {
		m := startMock(t)
		t.Setenv("OPENAI_API_KEY", judgeKey)
		args := strings.Fields("run " + c.args + " --verbose --judge openai:m")
		args[1] = filepath.Join(dir, args[1])
		_, stdout, stderr := rubric(t, "", args...)
		if m.calls != c.calls || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: %d calls, want %d, and %q\n%s%s", c.args, m.calls, c.calls, c.want, stdout, stderr)
		}
	}
	if code, stdout, _ := rubric(t, "", "check", filepath.Join(dir, "seed.eval.yaml"), filepath.Join(dir, "stable.eval.yaml"), filepath.Join(dir, "list.eval.yaml"), filepath.Join(dir, "head.eval.yaml")); strings.Contains(stdout, "`samples`") {
		t.Errorf("%d\n%s", code, stdout)
	}
	bad := write(t, map[string]string{"x.eval.yaml": "evalcases:\n  - { id: c, expected_outcome: O, input: Q, execution: { evaluators: [{ name: often, type: llm_judge, samples: 0 }] } }\n"})
	if _, stdout, _ := rubric(t, "", "check", filepath.Join(bad, "x.eval.yaml")); !strings.Contains(stdout, "`samples` is 0; expected a whole number from 1 to 1000") {
		t.Error(stdout)
	}
}

// TestModeration: an endpoint is asked about safety where one is configured, and
// nothing is connected to where none is.
func TestModeration(t *testing.T) {
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var asked struct{ Model, Input string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/moderations" || r.Header.Get("Authorization") != "Bearer k-1" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if strings.Contains(asked.Input, "soon") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, `{"model": %q, "results": [{"categories": {"violence": %v, "hate": false, "illicit": null}, "category_scores": {"violence": 0.91}}]}`,
			asked.Model, strings.Contains(asked.Input, "stab"))
	}))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("OPENAI_API_KEY", "k-1")
	dir := write(t, map[string]string{
		"x.evalset.json": `{"eval_set_id": "x", "eval_cases": [` + resultKey("kind", "Hello") + "," + resultKey("harm", "I will stab you") + `]}`,
		"y.evalset.json": `{"eval_set_id": "y", "eval_cases": [` + resultKey("late", "See you soon") + `]}`,
		"c.json":         `{"criteria": {"safety_v1": 0.9}}`,
	})
	set, config := filepath.Join(dir, "x.evalset.json"), filepath.Join(dir, "c.json")
	if rubric(t, "", "run", set, "--config", config); calls.Load() != 0 {
		t.Errorf("%d calls that nobody asked for", calls.Load())
	}
	code, stdout, stderr := rubric(t, "", "run", set, "--config", config, "--moderation", "openai", "--no-cache")
	if code != 1 || calls.Load() != 2 {
		t.Errorf("exit status %d, %d calls: %s", code, calls.Load(), stderr)
	}
	for _, part := range []string{"1 pass, 1 fail", "✗ no  violence", "found by omni-moderation-latest, 0.91 of 1"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("%q is not in %s", part, stdout)
		}
	}
	if strings.Contains(stdout, "illicit") || strings.Contains(stdout, "literal checks") {
		t.Errorf("%s", stdout)
	}
	code, stdout, _ = rubric(t, "", "run", filepath.Join(dir, "y.evalset.json"), "--config", config, "--moderation", "openai:m", "--timeout", "2s", "--no-cache", "--dry-run")
	if code != 0 || !strings.Contains(stdout, "judge:  1 call") || calls.Load() != 2 {
		t.Errorf("exit status %d, %d calls:\n%s", code, calls.Load(), stdout)
	}
	t.Setenv("OPENAI_API_KEY", "wrong")
	code, stdout, _ = rubric(t, "", "run", set, "--config", config, "--moderation", "openai:m", "--no-cache")
	if code != 3 || !strings.Contains(stdout, "NOT_EVALUATED") {
		t.Errorf("exit status %d:\n%s", code, stdout)
	}
	if code, _, stderr := rubric(t, "", "run", set, "--config", config, "--moderation", "opneai"); code != 2 || !strings.Contains(stderr, "did you mean `openai`?") {
		t.Errorf("exit status %d: %s", code, stderr)
	}
}

// A resultKey identifies a result. Files of the same name in two folders may have the
// same cases.
func resultKey(id, answer string) string {
	return `{"eval_id": "` + id + `", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "` + answer + `"}]}}]}`
}
