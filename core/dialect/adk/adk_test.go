package adk_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

func set(cases string) string { return `{"eval_set_id": "s", "eval_cases": [` + cases + `]}` }

const asks = `"user_content": {"parts": [{"text": "q"}]}`

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		name, body string
		role       adk.Role
	}{
		{"a/bank.evalset.json", `{}`, adk.EvalSet},
		{"bank.test.json", `[{"query": "q"}]`, adk.Turns},
		{"bank.test.json", `[{"name": "n", "data": []}]`, adk.Older},
		{`C:\x\TEST_CONFIG.JSON`, `{}`, adk.Config},
		{"x.evalset_result.json", `{}`, adk.Results},
		{"x.json", set(""), adk.EvalSet},
		{"x.json", `{"evalSetId": "s", "evalCases": []}`, adk.EvalSet},
		{"x.json", `{"evalCaseResults": []}`, adk.Results},
		{"x.json", `"{\"eval_case_results\": []}"`, adk.Results},
		{"x.json", `"{\"evalCaseResults\": []}"`, adk.Results},
		{"x.json", `"eval_case_results"`, adk.None},
		{"x.yaml", `"{\"eval_case_results\": []}"`, adk.None},
		{"x.yaml", "criteria:\n  safety_v1: 0.8\n", adk.Config},
		{"x.yaml", "criteria:\n  style: 3\n", adk.None},
		{"x.json", `[{"name": "n", "data": [{"query": "q"}]}]`, adk.Older},
		{"x.yaml", "eval_set_id: s\neval_cases: []\n", adk.EvalSet},
		{"x.yaml", "eval_cases: []\n", adk.None},
		{"x.yaml", "- query: q\n", adk.None},
		{"test_config.json", `{"critera": {}}`, adk.Config},
		{"test_config.json", `{"browser": "firefox", "reporters": []}`, adk.None},
		{"math.test.json", `{"name": "math", "tests": []}`, adk.None},
		{"math.test.json", `[1, 2]`, adk.None},
		{"math.test.json", `{"eval_sets_id": "s"}`, adk.EvalSet},
		{"x.json", `[{"query": "{ user }", "variables": {}}]`, adk.None},
		{"x.json", `[{"query": "q", "reference": "r"}]`, adk.Turns},
		{"x.json", `[{"name": "series", "data": [1, 2]}]`, adk.None},
		{"x.json", `{"eval_cases": []}`, adk.None},
		{"x.json", `[1]`, adk.None},
		{"x.json", ``, adk.None},
	} {
		if f := adk.Open(c.name, c.body); f.Role != c.role {
			t.Errorf("%s %s: %q, want %q", c.name, c.body, f.Role, c.role)
		}
	}
}

// TestExcess checks that comments and trailing commas are accepted and reported with their spans.
func TestExcess(t *testing.T) {
	body := "{ // é first\n \"criteria\": {\"safety_v1\": 0.5, /* a, */ }, \"x\": \"// no, ]\",\n}"
	f := adk.Open("test_config.json", body)
	var found []string
	for _, e := range f.Excess {
		found = append(found, string(e.Kind)+" "+body[e.Span.Start:e.Span.End])
	}
	if got := strings.Join(found, "; "); got != "a comment // é first; a comma before a closing bracket ,; a comment /* a, */; a comma before a closing bracket ," {
		t.Error(got)
	}
	s := adk.LowerConfig(metric.Latest, f)
	if len(s.Criteria) != 1 || s.Criteria[0].Threshold != 0.5 || !s.Refused {
		t.Errorf("%+v", s)
	}
	for body, want := range map[string]bool{
		`{"criteria": {'safety_v1': 1}}`: true, `{"criteria": {}} x`: true, `{"criteria": {"safety_v1": NaN, "response_match_score": -Infinity}}`: false,
		`["]`: true, "": true,
	} {
		if got := adk.LowerConfig(metric.Latest, adk.Open("test_config.json", body)).Refused; got != want {
			t.Errorf("%s: refused %v, want %v", body, got, want)
		}
	}
}

func TestSet(t *testing.T) {
	body := set(`{"evalId": "c", "rubrics": [{"rubricId": "r", "rubricContent": {"textProperty": "P"}, "type": "TOOL_USE_QUALITY"}],
	"session_input": {"app_name": "bank", "user_id": "u"},
	"conversation": [{"invocation_id": "i", "userContent": {"parts": [{"text": "a"}, {"text": "b"}]}, "final_response": {"role": "model", "parts": [{"text": "z"}]},
	 "intermediate_data": {"tool_uses": [{"name": "f", "args": {"x": 1.0, "y": [null]}, "id": "1"}, {"name": "g", "args": {}}, {"name": "h"}],
	  "toolResponses": [{"id": "1", "response": {"ok": true}}], "intermediate_responses": [["bot", [{"text": "wait"}]]]},
	 "app_details": {"agent_details": {"bot": {"name": "bot", "instructions": "Be kind.", "tool_declarations": [{"name": "f"}]}}}},
	 {` + asks + `, "intermediateData": {"invocationEvents": [{"author": "bot", "content": {"parts": [{"functionCall": {"name": "f"}}, {"function_response": {"name": "f"}}]}}]}}]},
	{"eval_id": "d", "conversation_scenario": {"starting_prompt": "s", "conversation_plan": "p", "user_persona": "EXPERT"}}`)
	s := adk.LowerSet(metric.Latest, adk.Open("s.evalset.json", body))
	if s.Refused {
		t.Fatal("refused")
	}
	c := s.Cases[0]
	first, second := c.Conversation[0], c.Conversation[1]
	if s.ID != "s" || c.ID != "c" || c.Session.App != "bank" || c.Rubrics[0] != (metric.Rubric{ID: "r", Text: "P", Type: metric.ToolUseQuality}) || len(c.Turns) != 2 {
		t.Errorf("%+v", c)
	}
	if text, _ := first.User.Text(); text != "a\nb" || first.Final.Role != "model" || first.IntermediateResponses[0].Author != "bot" || first.Agents[0].Instructions != "Be kind." || len(first.Agents[0].Tools) != 1 {
		t.Errorf("%+v", first)
	}
	if first.ToolUses[1].Args == nil || first.ToolUses[2].Args != nil || len(first.ToolUses[0].Args) != 2 {
		t.Errorf("%+v", first.ToolUses)
	}
	if len(second.Events) != 1 || second.Calls()[0].Name != "f" {
		t.Errorf("%+v", second)
	}
	if d := s.Cases[1]; d.Conversation != nil || d.Scenario.StartingPrompt != "s" || d.Scenario.Plan != "p" || d.Scenario.Persona.ID != "EXPERT" {
		t.Errorf("%+v", d)
	}
}

// TestRefusedSet checks what ADK refuses, and what 2.0 does.
func TestRefusedSet(t *testing.T) {
	rubric := func(id, kind string) string {
		return `{"rubric_id": "` + id + `", "rubric_content": {"text_property": "P"}` + kind + `}`
	}
	quality := `, "type": "FINAL_RESPONSE_QUALITY"`
	for _, c := range []struct {
		name, body string
		want, old  bool
	}{
		{"both forms", set(`{"eval_id": "c", "conversation": [], "conversation_scenario": {"starting_prompt": "", "conversation_plan": ""}}`), true, true},
		{"neither form", set(`{"eval_id": "c", "conversation": null}`), true, true},
		{"another key of a case", set(`{"eval_id": "c", "conversation": [], "tags": []}`), false, true},
		{"of a turn", set(`{"eval_id": "c", "conversation": [{` + asks + `, "answer": 1}]}`), true, true},
		{"both forms of what happened", set(`{"eval_id": "c", "conversation": [{` + asks + `, "intermediate_data": {"tool_uses": [], "invocation_events": []}}]}`), true, true},
		{"another key of an event", set(`{"eval_id": "c", "conversation": [{` + asks + `, "intermediate_data": {"invocation_events": [{"author": "a", "content": null, "ui": 1}]}}]}`), false, true},
		{"an event without content", set(`{"eval_id": "c", "conversation": [{` + asks + `, "intermediate_data": {"invocation_events": [{"author": "a"}]}}]}`), false, true},
		{"a key of later versions", set(`{"eval_id": "c", "conversation": [{` + asks + `, "duration": 2}]}`), false, true},
		{"half a persona", set(`{"eval_id": "c", "conversation_scenario": {"starting_prompt": "", "conversation_plan": "", "user_persona": {"id": "x", "description": "y"}}}`), true, true},
		{"another style on top", `{"evalSetId": "s", "eval_cases": []}`, true, true},
		{"one case twice", set(`{"eval_id": "c", "conversation": []}, {"eval_id": "c", "conversation": []}`), false, false},
		{"a rubric without a type", set(`{"eval_id": "c", "conversation": [{` + asks + `, "rubrics": [` + rubric("r", "") + `]}]}`), false, false},
		{"of the wrong case", set(`{"eval_id": "c", "conversation": [], "rubrics": [` + rubric("r", `, "type": "tool_use_quality"`) + `]}`), false, false},
		{"one id in case and turn", set(`{"eval_id": "c", "rubrics": [` + rubric("r", quality) + `], "conversation": [{` + asks + `, "rubrics": [` + rubric("r", quality) + `]}]}`), false, false},
		{"a weight", set(`{"eval_id": "c", "conversation": [], "rubrics": [` + rubric("r", quality+`, "weight": 2`) + `]}`), true, true},
		{"nobody known", set(`{"eval_id": "c", "conversation_scenario": {"starting_prompt": "", "conversation_plan": "", "user_persona": "GRUMPY"}}`), true, true},
		{"a list of turns", `[{"query": "q", "reference": "r"}]`, false, false},
		{"of no conversation", `[{"name": "n"}]`, true, true},
		{"without a question", `[{"name": "n", "data": [{"reference": "r"}]}]`, true, true},
		{"a word", `7`, true, true},
	} {
		for profile, want := range map[metric.Profile]bool{metric.Latest: c.want, metric.V2: c.old} {
			if got := adk.LowerSet(profile, adk.Open("s.evalset.json", c.body)).Refused; got != want {
				t.Errorf("%s, as %s: refused %v, want %v", c.name, profile, got, want)
			}
		}
	}
}

// TestLongHorizon reads a public sample with a mistake: untyped rubrics on the turns next to two
// rubrics in the configuration. Only those two apply.
func TestLongHorizon(t *testing.T) {
	body := set(`{"eval_id": "wire", "conversation": [
	 {` + asks + `, "rubrics": [{"rubric_id": "refuses", "rubric_content": {"text_property": "Refuses to wire money without a confirmation."}}]},
	 {` + asks + `, "rubrics": [{"rubric_id": "explains", "rubric_content": {"text_property": "Explains why."}}]}]}`)
	s := adk.LowerSet(metric.Latest, adk.Open("safety.evalset.json", body))
	criterion := []metric.Rubric{{ID: "relevance"}, {ID: "helpfulness"}}
	effective, err := metric.EffectiveRubrics(metric.Latest, metric.FinalResponseQuality, criterion, s.Cases[0].Conversation[0].Rubrics)
	if err != nil || len(effective) != 2 {
		t.Errorf("%v %v", effective, err)
	}
}

func TestConfig(t *testing.T) {
	body := `{"criteria": {
	 "tool_trajectory_avg_score": {"threshold": "0.9", "matchType": "any-order", "ignore_args": "yes"},
	 "rubric_based_final_response_quality_v1": {"threshold": 0.8, "judge_model_options": {"judgeModel": "m", "num_samples": "3", "parallelism_limit": 2},
	  "rubrics": [{"rubric_id": "a", "rubric_content": {"text_property": "P"}}], "include_intermediate_responses_in_final": true},
	 "hallucinations_v1": {"threshold": 1, "evaluate_intermediate_nl_responses": true},
	 "mine": 0.5}, "custom_metrics": {"mine": {"code_config": {"name": "pkg.fn"}}}}`
	s := adk.LowerConfig(metric.Latest, adk.Open("test_config.json", body))
	if s.Refused || len(s.Criteria) != 4 || s.Custom["mine"] != "pkg.fn" {
		t.Fatalf("%+v", s)
	}
	trajectory, quality := s.Criteria[0].Criterion, s.Criteria[1].Criterion
	if trajectory.Threshold != 0.9 || trajectory.Match != metric.AnyOrder || !trajectory.IgnoreArgs {
		t.Errorf("%+v", trajectory)
	}
	if quality.Judge != (metric.JudgeOptions{Model: "m", Samples: 3, Parallel: 2}) || quality.Rubrics[0].Text != "P" || !quality.WithIntermediate || !s.Criteria[2].EachIntermediate {
		t.Errorf("%+v", quality)
	}
}

// TestRefusedConfig checks what ADK refuses, and which metrics it skips.
func TestRefusedConfig(t *testing.T) {
	for _, c := range []struct {
		name, criteria   string
		refused, skipped bool
	}{
		{"a typo that nobody notices", `"tool_trajectory_avg_score": {"threshold": 1, "match_typ": "EXACT"}`, false, false},
		{"no such way", `"tool_trajectory_avg_score": {"threshold": 1, "match_type": "INORDER"}`, false, true},
		{"a way by number", `"tool_trajectory_avg_score": {"threshold": 1, "match_type": 2}`, false, false},
		{"no threshold", `"safety_v1": {}`, true, true},
		{"no number", `"safety_v1": "high"`, true, true},
		{"half a sample", `"hallucinations_v1": {"threshold": 1, "judge_model_options": {"num_samples": 2.5}}`, false, true},
		{"no sample", `"hallucinations_v1": {"threshold": 1, "judge_model_options": {"num_samples": 0}}`, false, true},
		{"another judge's option", `"final_response_match_v2": {"threshold": 1, "judge_model_options": {"temperature": 0}}`, false, true},
		{"another option of the client", `"final_response_match_v2": {"threshold": 1, "judge_model_options": {"judge_model_config": {"temprature": 0}}}`, false, true},
		{"a weight", `"rubric_based_tool_use_quality_v1": {"threshold": 1, "rubrics": [{"rubric_id": "a", "rubric_content": {"text_property": "P"}, "weight": 2}]}`, false, true},
		{"an id twice", `"rubric_based_tool_use_quality_v1": {"threshold": 1, "rubrics": [{"rubric_id": "a", "rubric_content": {"text_property": "P"}}, {"rubric_id": "a", "rubric_content": {"text_property": null}}]}`, false, true},
		{"a metric that is none", `"hallucination_v1": 0.5`, false, true},
		{"a figure", `"tool_call_count_v1": 4`, false, true},
	} {
		body := `{"criteria": {` + c.criteria + `}}`
		s := adk.LowerConfig(metric.Latest, adk.Open("test_config.json", body))
		if s.Refused != c.refused || len(s.Criteria) != 1 || s.Criteria[0].Skipped != c.skipped {
			t.Errorf("%s: refused %v, skipped %v", c.name, s.Refused, s.Criteria)
		}
	}
}

// TestOlderConfig checks that 2.0 refuses or does not check additions of later versions.
func TestOlderConfig(t *testing.T) {
	for _, c := range []struct{ name, body, want, old string }{
		{"questions at once", `{"criteria": {"hallucinations_v1": {"threshold": 1, "judge_model_options": {"parallelism_limit": 2}}}}`, "", "skipped"},
		{"no sample", `{"criteria": {"hallucinations_v1": {"threshold": 1, "judge_model_options": {"num_samples": 0}}}}`, "skipped", ""},
		{"names alone", `{"criteria": {"tool_trajectory_avg_score": {"threshold": 1, "ignore_args": true}}}`, "", ""},
		{"a simulator that is none", `{"criteria": {}, "user_simulator_config": {"type": "robot"}}`, "refused", ""},
		{"no simulator in particular", `{"criteria": {}, "user_simulator_config": {"type": null, "model": "m"}}`, "", ""},
	} {
		for profile, want := range map[metric.Profile]string{metric.Latest: c.want, metric.V2: c.old} {
			got, s := "", adk.LowerConfig(profile, adk.Open("test_config.json", c.body))
			switch {
			case s.Refused:
				got = "refused"
			case slices.ContainsFunc(s.Criteria, func(c adk.Criterion) bool { return c.Skipped }):
				got = "skipped"
			}
			if got != want {
				t.Errorf("%s, as %s: %q, want %q", c.name, profile, got, want)
			}
		}
	}
}

func TestResults(t *testing.T) {
	turn := `{` + asks + `, "final_response": {"parts": [{"text": "a"}]}}`
	body := `{"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": [{"eval_id": "c", "final_eval_status": 1, "eval_metric_result_per_invocation": [
	 {"actual_invocation": ` + turn + `, "expected_invocation": ` + turn + `, "eval_metric_results": []}, {"actualInvocation": ` + turn + `}]}]}`
	for _, text := range []string{body, `"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(body) + `"`} {
		rec := adk.LowerResults(metric.Latest, adk.Open("x.evalset_result.json", text))
		if rec.Refused || rec.SetID != "s" || len(rec.Cases) != 1 || len(rec.Cases[0].Actual) != 2 || rec.Cases[0].Expected != nil {
			t.Errorf("%+v of %s", rec, text)
			continue
		}
		if answer, _ := rec.Cases[0].Actual[1].Answer(false); answer != "a" {
			t.Errorf("%q", answer)
		}
	}
	if rec := adk.LowerResults(metric.Latest, adk.Open("x.evalset_result.json", `"7"`)); !rec.Refused {
		t.Errorf("%+v", rec)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add("s.evalset.json", set(`{"evalId": "c", "conversation": [{`+asks+`}]}`))
	f.Add("test_config.json", `{"criteria": {"tool_trajectory_avg_score": {"threshold": NaN, "match_type": [], "rubrics": 3}}, // x`)
	f.Add("x.evalset_result.json", `"{\"eval_case_results\": [{}]}"`)
	f.Add("x.yaml", "a: &a [*a]\ncriteria: *a")
	f.Add("x.test.json", `[{"query": 1, "expected_tool_use": [{"tool_input": 3}]}, /*`)
	f.Fuzz(func(t *testing.T, name, body string) {
		file := adk.Open(name, body)
		for _, p := range metric.Profiles {
			adk.LowerSet(p, file)
			adk.LowerConfig(p, file)
			adk.LowerResults(p, file)
		}
	})
}
