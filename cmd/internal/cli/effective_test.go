package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

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
		"✗ no turn of this file has an expected tool call",
	} {
		if !strings.Contains(set, want) {
			t.Errorf("%q is not in\n%s", want, set)
		}
	}
	if _, alone, stderr := rubric(t, `{"criteria": {"safety_v1": 1}}`, "check", "--effective", "-"); !strings.Contains(alone+stderr, "safety_v1 passes from 1") {
		t.Errorf("%s%s", alone, stderr)
	}
	if _, alone, stderr := rubric(t, `{"eval_set_id": "x", "eval_cases": []}`, "check", "--effective", "-"); !strings.Contains(alone+stderr, "so by default: tool_trajectory_avg_score from 1; response_match_score from 0.8") {
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
		"4 cases; nobody was asked\n  tool_trajectory_avg_score               asks nobody, and costs nothing\n",
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
