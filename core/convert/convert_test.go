package convert_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/convert"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
)

func suiteOf(path, body string) *rubric.Suite {
	return analysis.Of(analysis.Input{Path: path, Text: body}).Suite()
}

// losses returns the losses of a conversion, one per line.
func losses(c convert.Conversion) string {
	var all []string
	for _, l := range c.Losses {
		all = append(all, l.String())
	}
	return strings.Join(all, "\n")
}

func errorsIn(t *testing.T, path, body string) (found []string) {
	t.Helper()
	for _, d := range analysis.Of(analysis.Input{Path: path, Text: body}).Diagnostics() {
		if d.Severity == diag.Error {
			found = append(found, d.Code+": "+d.Message)
		}
	}
	return found
}

// TestToADK checks the evalset and the loss for each thing that ADK cannot express.
func TestToADK(t *testing.T) {
	for _, c := range []struct{ name, body, want, lost string }{
		{"texts", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, expected_output: R, rubrics: [One]}\n", `"text_property": "One"`, "rubrics are not gates"},
		{"weights", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, rubrics: [{id: x, expected_outcome: One, weight: 2}]}\n", `"rubric_id": "x"`, "rubrics have no weights"},
		{"ranges", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, rubrics: [{id: x, expected_outcome: Clear, score_ranges: {0: Bad, 5: Fair, 9: Best}}]}\n", `"Clear: Best"`, "0 to 10"},
		{"no rubric", "evalcases:\n  - {id: a, expected_outcome: Says hello, input: Q}\n", "The response does this: Says hello", "borderline"},
		{"a program", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, evaluators: [{name: p, type: code_judge, script: ./p}]}\n", `"eval_id": "a"`, "there is no metric like `code_judge`"},
		{"samples", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, evaluators: [{name: j, type: llm_judge, samples: 3, rubrics: [{id: x, expected_outcome: One}]}]}\n", `"text_property": "One"`, "the number of samples"},
		{"tools in any order", "evalcases:\n  - {id: a, expected_outcome: O, input: Q, evaluators: [{name: p, type: tool_trajectory, mode: any_order, minimums: {f: 2}}]}\n",
			"\"name\": \"f\"\n              },\n              {\n                \"name\": \"f\"", "no case's arguments are compared"},
		{"tools besides others", "tests:\n  - {id: a, criteria: O, input: Q, assertions: [{type: tool-trajectory, mode: superset, args_match: subset, expected: [{tool: f, args: {x: 1}}]}]}\n",
			`"name": "f"`, "compares all arguments or none"},
		{"no tools but these", "tests:\n  - {id: a, criteria: O, input: Q, assertions: [{type: tool-trajectory, mode: subset, expected: [{tool: f}]}]}\n",
			`"eval_id": "a"`, "additional tool calls cannot be forbidden"},
		{"a conversation", "evalcases:\n  - id: a\n    expected_outcome: O\n    input: [{role: system, content: Be kind}, {role: user, content: Q1}, {role: assistant, content: A1}, {role: user, content: Q2}]\n    expected_output: A2\n",
			`"instructions": "Be kind"`, "earlier turns are measured too"},
	} {
		made, err := convert.ToADK(suiteOf("x.eval.yaml", c.body), "my evals")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !strings.Contains(made.Files[0].Text, c.want) || !strings.Contains(losses(made), c.lost) {
			t.Errorf("%s: %s\n%s", c.name, made.Files[0].Text, losses(made))
		}
		if made.Files[0].Name != "my evals.evalset.json" || !strings.Contains(made.Files[0].Text, `"eval_set_id": "my_evals"`) {
			t.Errorf("%s: %+v", c.name, made.Files[0])
		}
	}
	if _, err := convert.ToADK(suiteOf("x.eval.yaml", "evalcases: []\n"), "x"); err != convert.ErrNoCases {
		t.Error(err)
	}
}

// TestToAgentV checks the opposite direction.
func TestToAgentV(t *testing.T) {
	turn := func(user, answer, more string) string {
		return `{"user_content": {"parts": [{"text": "` + user + `"}]}, "final_response": {"parts": [{"text": "` + answer + `"}]}` + more + `}`
	}
	set := `{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "session_input": {"app_name": "app", "user_id": "u", "state": {"tier": "gold"}}, "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Is: kind"}, "type": "FINAL_RESPONSE_QUALITY"},
		{"rubric_id": "t", "rubric_content": {"text_property": "Calls f"}, "type": "TOOL_USE_QUALITY"}],
		"conversation": [` + turn("Hi", `Line one\nLine two`, `, "intermediate_data": {"tool_uses": [{"name": "f", "args": {"n": 1.50}}], "tool_responses": [{"name": "f", "response": {"n": 3}}]}`) + "," + turn("Bye", "See you", "") + `]},
		{"eval_id": "c", "conversation": [{"user_content": {"parts": [{"text": "Look"}, {"inline_data": {"mime_type": "image/png", "data": "aGk="}}]}}]},
		{"eval_id": "b", "conversation_scenario": {"starting_prompt": "p", "conversation_plan": "q"}}]}`
	made, err := convert.ToAgentV(adk.LowerSet(metric.Latest, adk.Open("s.evalset.json", set)), []metric.Criterion{
		{Metric: metric.ResponseQuality, Threshold: 0.9}, {Metric: metric.ToolTrajectory, Threshold: 1}, {Metric: metric.Hallucinations, Threshold: 0.8},
		{Metric: metric.FinalResponseMatch, Threshold: 0.8}, {Metric: metric.Safety, Threshold: 0.8}, {Metric: metric.ToolQuality, Threshold: 1},
	}, "s")
	if err != nil {
		t.Fatal(err)
	}
	file := made.Files[0]
	if found := errorsIn(t, file.Name, file.Text); len(found) > 0 {
		t.Errorf("%s\n%s", strings.Join(found, "\n"), file.Text)
	}
	suite := suiteOf(file.Name, file.Text)
	if len(suite.Cases) != 3 || suite.Cases[0].ID != "a-turn-1" || suite.Cases[0].ReferenceAnswer != "Line one\nLine two" || suite.Cases[1].ConversationID != "a" {
		t.Fatalf("%s", file.Text)
	}
	first := suite.Cases[0]
	if c := first.Graders[0].Criteria[0]; c.ID != "r" || c.Text != "Is: kind" || c.IsRequired() {
		t.Errorf("%+v", c)
	}
	if steps := first.Graders[1].Steps; steps.Mode != "exact" || steps.Expected[0].Tool != "f" {
		t.Errorf("%+v", steps)
	}
	for _, want := range []string{
		"the threshold 0.9 of `rubric_based_final_response_quality_v1` is lost", "no grader like `hallucinations_v1`", "users are not simulated", "(`b`)",
		"rubrics of types other than", "a case cannot require that no tool is called (`a` and `c`)", "no mean over a conversation", "each harm becomes a gate",
		"the state that a session begins with is left out (`a`)", "of the user's messages only texts are kept (`c`)", "what tools returned and intermediate answers are left out (`a`)",
	} {
		if !strings.Contains(losses(made), want) {
			t.Errorf("%q is not in\n%s", want, losses(made))
		}
	}
}

// TestConvertCorpus converts the corpus to evalsets that ADK accepts, and converts
// those back to AgentV files with the same cases.
func TestConvertCorpus(t *testing.T) {
	files := 0
	for _, file := range corpustest.Files(t, "", ".yaml") {
		if suite := suiteOf(file.Path, file.Body); len(suite.Cases) > 0 {
			files++
			checkRoundTrip(t, file.Path, suite)
		}
	}
	if files < 5 {
		t.Errorf("only %d files", files)
	}
}

func checkRoundTrip(t *testing.T, path string, suite *rubric.Suite) {
	t.Helper()
	evalset, err := convert.ToADK(suite, "x")
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	set := adk.LowerSet(metric.Latest, adk.Open(evalset.Files[0].Name, evalset.Files[0].Text))
	if set.Refused || len(set.Cases) != len(suite.Cases) {
		t.Errorf("%s: %d cases, refused %v", path, len(set.Cases), set.Refused)
	}
	var criteria []metric.Criterion
	if len(evalset.Files) > 1 {
		for _, c := range adk.LowerConfig(metric.Latest, adk.Open("test_config.json", evalset.Files[1].Text)).Criteria {
			if c.Skipped {
				t.Errorf("%s: %s is skipped", path, c.Metric)
			}
			criteria = append(criteria, c.Criterion)
		}
	}
	agentv, err := convert.ToAgentV(set, criteria, "x")
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	converted := suiteOf(agentv.Files[0].Name, agentv.Files[0].Text)
	turns := 0
	for _, c := range set.Cases {
		turns += len(c.Conversation)
	}
	if len(converted.Cases) != turns {
		t.Errorf("%s: %d cases of %d turns\n%s", path, len(converted.Cases), turns, agentv.Files[0].Text)
	}
	for i, c := range suite.Cases { // AgentV answers with the tool calls where there is no text
		if turns == len(suite.Cases) && c.ReferenceAnswer != "" && converted.Cases[i].ReferenceAnswer != c.ReferenceAnswer {
			t.Errorf("%s: %q\nis not\n%q", path, converted.Cases[i].ReferenceAnswer, c.ReferenceAnswer)
		}
	}
}

// TestElsewhere checks the description of a rubric and a metric in the other dialect.
func TestElsewhere(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{convert.RubricInAgentV(metric.ResponseQuality), "a gate unless `required: false`"},
		{convert.RubricInAgentV(metric.ToolQuality), "no counterpart, because"},
		{convert.MetricInAgentV(metric.ToolTrajectory), "`tool_trajectory`"},
		{convert.MetricInAgentV(metric.ResponseMatch), "in AgentV: no counterpart"},
		{convert.MetricInAgentV(metric.Safety), "six harms"},
		{convert.MetricInAgentV(metric.FinalResponseMatch), "`llm_judge`"},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
