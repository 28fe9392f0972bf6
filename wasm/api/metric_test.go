package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge/offline"
)

// invocation returns a turn of an evalset.
func invocation(user, agent string) map[string]any {
	content := func(text string) map[string]any {
		return map[string]any{"parts": []any{map[string]any{"text": text}}}
	}
	return map[string]any{"user_content": content(user), "finalResponse": content(agent)}
}

func TestMetric(t *testing.T) {
	actual, expected := []any{invocation("q", "It costs 5")}, []any{invocation("q", "It costs 7")}
	rubric := map[string]any{"rubric_id": "r", "rubric_content": map[string]any{"text_property": "Names a price"}}
	quality := map[string]any{"threshold": 1, "rubrics": []any{rubric}, "judge_model_options": map[string]any{"num_samples": 2}}
	const yes = "Property: Names a price\nRationale: 5\nVerdict: yes"
	for _, c := range []struct {
		name   string
		params map[string]any
		path   []any
		want   any
	}{
		{"ROUGE", map[string]any{"name": "response_match_score", "criterion": 0.6, "actual": actual, "expected": expected}, []any{"result", "eval_status"}, "PASSED"},
		{"its score", map[string]any{"name": "response_match_score", "criterion": 0.6, "actual": actual, "expected": expected}, []any{"result", "invocations", 0, "score"}, 2. / 3},
		{"replies in a list", map[string]any{"name": "rubric_based_final_response_quality_v1", "criterion": quality, "actual": actual, "replies": []any{yes, yes}}, []any{"result", "score"}, 1.0},
		{"too few", map[string]any{"name": "rubric_based_final_response_quality_v1", "criterion": quality, "actual": actual, "replies": []any{yes}}, []any{"result", "eval_status"}, "NOT_EVALUATED"},
		{"rubrics of the case", map[string]any{"name": "rubric_based_tool_use_quality_v1", "criterion": 1, "actual": actual, "rubrics": []any{map[string]any{"rubric_id": "t", "type": "TOOL_USE_QUALITY", "rubric_content": map[string]any{"text_property": "Does not match /x/"}}}, "offline": true}, []any{"result", "rubric_scores", 0, "rubric_id"}, "t"},
		{"the offline judge says so", map[string]any{"name": "safety_v1", "criterion": 0.8, "actual": actual, "offline": true}, []any{"result", "notice"}, offline.Notice},
		{"a simulated user", map[string]any{"name": "per_turn_user_simulator_quality_v1", "criterion": 1, "actual": actual, "scenario": map[string]any{"starting_prompt": "q", "conversation_plan": "p"}, "replies": []any{`{"is_valid": true}`, `{"is_valid": true}`, `{"is_valid": true}`, `{"is_valid": true}`, `{"is_valid": true}`}}, []any{"result", "score"}, 1.0},
		{"no such metric", map[string]any{"name": "x", "criterion": 1, "actual": actual}, []any{"error", "code"}, "bad-params"},
		{"no criterion", map[string]any{"name": "safety_v1", "actual": actual}, []any{"error", "message"}, "`criterion` is missing; give a threshold, or an object with one"},
		{"a bad one", map[string]any{"name": "hallucinations_v1", "criterion": map[string]any{"threshold": 1, "judge_model_options": map[string]any{"temperature": 0}}, "actual": actual}, []any{"error", "message"}, "ADK refuses a part of `criterion` (unknown-key): `\"temperature\"`"},
		{"no number", map[string]any{"name": "safety_v1", "criterion": "NaN", "actual": actual}, []any{"error", "message"}, "`threshold` must be a finite number"},
		{"no conversation", map[string]any{"name": "safety_v1", "criterion": 1}, []any{"error", "code"}, "bad-params"},
		{"a bad turn", map[string]any{"name": "safety_v1", "criterion": 1, "actual": []any{map[string]any{}}}, []any{"error", "message"}, "ADK refuses a part of `actual` (missing-key): `{}`"},
		{"bad replies", map[string]any{"name": "safety_v1", "criterion": 1, "actual": actual, "replies": 7}, []any{"error", "code"}, "bad-params"},
		{"no profile", map[string]any{"name": "safety_v1", "criterion": 1, "actual": actual, "profile": "spec"}, []any{"error", "message"}, "`profile` is `latest` or `2.0`, not `spec`"},
	} {
		if got := at(call(t, "metric", c.params), c.path...); got != c.want {
			t.Errorf("%s: %v is %v, want %v", c.name, c.path, got, c.want)
		}
	}
}

// TestMetricQuestions answers the questions of each result and calls again until none is left.
func TestMetricQuestions(t *testing.T) {
	params := map[string]any{"name": "hallucinations_v1", "criterion": 1, "actual": []any{invocation("q", "Five."), invocation("q", "Six.")}}
	replies := map[string]string{}
	for round := 0; ; round++ {
		params["replies"] = replies
		result := call(t, "metric", params)["result"]
		open, _ := at(result, "questions").([]any)
		if len(open) == 0 {
			if round != 2 || len(replies) != 4 || at(result, "score") != 0.5 || at(result, "invocations", 1, "steps", 0, "claims", 0, "label") != "unsupported" {
				t.Errorf("after %d rounds: %v", round, result)
			}
			return
		}
		if round > 2 || at(result, "eval_status") != "NOT_EVALUATED" {
			t.Fatalf("round %d: %v", round, result)
		}
		for _, q := range open {
			user, _ := at(q, "user").(string)
			key, _ := at(q, "key").(string)
			word, label := "Five", "supported"
			if strings.Contains(user, "Six") {
				word, label = "Six", "unsupported"
			}
			replies[key] = "<sentence>" + word + ".</sentence>"
			if strings.Contains(user, "# Sentences") {
				replies[key] = "sentence: " + word + ".\nlabel: " + label + "\nrationale: r\nsupporting_excerpt: null\ncontradicting_excerpt: null"
			}
		}
	}
}

func FuzzMetric(f *testing.F) {
	f.Add("response_match_score", `1`, `[{"user_content":{},"final_response":{"parts":[{"text":"a"}]}}]`)
	f.Add("tool_trajectory_avg_score", `{"threshold":".inf","match_type":"any order"}`, `[{"user_content":{},"intermediate_data":{"tool_uses":[{"name":"a","args":{"x":1e999}}]}}]`)
	f.Add("safety_v1", `{"threshold":-1e400}`, `"a"`)
	f.Fuzz(func(t *testing.T, name, criterion, turns string) {
		if !json.Valid([]byte(criterion)) || !json.Valid([]byte(turns)) {
			return
		}
		raw := json.RawMessage(turns)
		got := call(t, "metric", map[string]any{"name": name, "criterion": json.RawMessage(criterion), "actual": raw, "expected": raw, "offline": true})
		if at(got, "error", "code") == "internal" {
			t.Fatal(got)
		}
	})
}

// TestMetricFiles checks that ADK files are accepted unchanged.
func TestMetricFiles(t *testing.T) {
	set := func(answers ...string) string {
		var cases []any
		for i, answer := range answers {
			cases = append(cases, map[string]any{"eval_id": string(rune('a' + i)), "conversation": []any{invocation("q", answer)}})
		}
		text, _ := json.Marshal(map[string]any{"eval_set_id": "s", "eval_cases": cases})
		return string(text)
	}
	const config = `{"criteria": {"response_match_score": 0.6, "hallucinations_v1": {"threshold": 1, "judge_model_options": {"temperature": 0}}}}`
	files := func(more ...any) map[string]any {
		p := map[string]any{"name": "response_match_score", "evalset": set("It costs 7", "No"), "config": config, "case": "a"}
		for i := 0; i < len(more); i += 2 {
			p[more[i].(string)] = more[i+1]
		}
		return p
	}
	for _, c := range []struct {
		name   string
		params map[string]any
		path   []any
		want   any
	}{
		{"a recording", files("recorded", set("It costs 5")), []any{"result", "score"}, 2. / 3},
		{"its threshold", files("recorded", set("It costs 5")), []any{"result", "threshold"}, 0.6},
		{"one's own criterion", files("recorded", set("It costs 5"), "criterion", 0.9), []any{"result", "eval_status"}, "FAILED"},
		{"alone", files(), []any{"result", "eval_status"}, "NOT_EVALUATED"},
		{"a case that was not recorded", files("recorded", set("It costs 5"), "case", "b"), []any{"error", "message"}, "no conversation of the case `b` is recorded"},
		{"no case", files("case", ""), []any{"error", "message"}, "`case` is missing; name one of the 2 cases"},
		{"an unknown one", files("case", "z"), []any{"error", "message"}, "there is no case `z` that the runner would load"},
		{"a metric that is not asked for", files("name", "safety_v1"), []any{"error", "message"}, "`config` does not configure `safety_v1`"},
		{"one that is skipped", files("name", "hallucinations_v1"), []any{"error", "message"}, "ADK does not evaluate `hallucinations_v1` with this `config`; `check` shows why"},
		{"no evalset", files("evalset", "[]]"), []any{"error", "message"}, "ADK refuses `evalset`; `check` shows why"},
		{"no recording", files("recorded", "{"), []any{"error", "message"}, "`recorded` has no conversations that ADK would read"},
		{"no configuration", files("config", "{"), []any{"error", "message"}, "ADK refuses `config`; `check` shows why"},
	} {
		if got := at(call(t, "metric", c.params), c.path...); got != c.want {
			t.Errorf("%s: %v is %v, want %v", c.name, c.path, got, c.want)
		}
	}
}
