package cli_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSimulatedUser: a model plays the user of a scenario, from the starting prompt to its stop signal or
// the limit of turns, with what the configuration says.
func TestSimulatedUser(t *testing.T) {
	const persona = `, "user_persona": {"id": "curt", "description": "Curt.", "behaviors": [{"name": "Few words", "description": "Ends with {{ stop_signal }}.", "behavior_instructions": ["Be short."], "violation_rubrics": ["Is long."]}]}`
	const instructions = `{% for b in persona.behaviors %}{{ b.name }}: {{ b.get_behavior_instructions_str() }} {{ b.description | render_string_filter }}{% endfor %}|{{ stop_signal }}|{{ conversation_plan }}|{{conversation_history}}`
	for name, c := range map[string]struct {
		scenario, config string
		judge            string   // "" for the model below
		says             []string // by the model
		code             int
		want             string   // in the output
		turns            []string // what the user says
		prompt           []string // what the last question to the model has
	}{
		"the stop signal": {says: []string{"What is my balance?", "Done. </FINISHED>"}, turns: []string{"Hello", "What is my balance?"}, want: "1 pass",
			prompt: []string{"Ask for the balance.", "user: Hello\n\nteller: I do not know.\n\nuser: What is my balance?\n\nteller: Your balance is 12.50 euros.", "reply with `</finished>`"}},
		"the limit": {config: `"max_allowed_invocations": 3`, says: []string{"a", "b", "c"}, turns: []string{"Hello", "a", "b"}, want: "1 pass"},
		"tool calls": {config: `"include_function_calls": true`, says: []string{"balance", "</finished>"}, turns: []string{"Hello", "balance"}, want: "1 pass",
			prompt: []string{`teller called tool 'get_balance' with args: {"account":null}`, `Tool 'get_balance' returned: {"balance":12.5}`}},
		"a persona of ADK": {scenario: `, "user_persona": "NOVICE"`, says: []string{"</finished>"}, turns: []string{"Hello"}, want: "1 pass",
			prompt: []string{"Play the user as the persona below.", "## Do not correct the agent", "end with `</finished>`"}},
		"its own persona": {scenario: persona, says: []string{"</finished>"}, turns: []string{"Hello"}, want: "1 pass", prompt: []string{"Curt.\n\n## Few words\n\nEnds with </finished>.\n\n  * Be short."}},
		"its own instructions": {scenario: persona, config: `"custom_instructions": ` + quoted(instructions), says: []string{"</finished>"}, turns: []string{"Hello"}, want: "1 pass",
			prompt: []string{"Few words:   * Be short. Ends with </finished>.|</finished>|Ask for the balance.|user: Hello\n\nteller: I do not know."}},
		"instructions without a place": {config: `"custom_instructions": "{{ stop_signal }} {{ conversation_plan }}"`, code: 3, want: "they do not use `{{ conversation_history }}`, which ADK requires"},
		"instructions with other tags": {config: `"custom_instructions": "{% set x = 1 %}"`, code: 3, want: "`{% set x = 1 %}` is not supported here"},
		"no model":                     {judge: "offline", code: 3, want: "the simulated user said nothing in turn 2: it needs a model; choose a judge, or set `model` in `user_simulator_config`"},
		"an empty reply":               {judge: "cli:true", code: 3, want: "the simulated user said nothing in turn 2: the model's reply is empty"},
		"the agent fails":              {says: []string{"crash"}, code: 3, want: "the agent gave no answer in turn 2: the agent failed: ValueError"},
		"a user that speaks":           {config: `"type": "llm_audio"`, code: 3, want: "a user that speaks (`llm_audio`) is not simulated here"},
	} {
		t.Run(name, func(t *testing.T) {
			agent := newADKServer(t, teller)
			var prompts []string
			model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var q struct{ Messages []struct{ Content string } }
				body, _ := io.ReadAll(r.Body)
				json.Unmarshal(body, &q)
				reply := "ID: kind\nProperty: The answer is kind.\nEvidence: e\nRationale: r\nVerdict: yes"
				if !strings.Contains(string(body), "Verdict: yes or no") { // the simulated user is asked, and not a judge
					prompts = append(prompts, q.Messages[len(q.Messages)-1].Content)
					reply = "nothing else was to be asked"
					if len(prompts) <= len(c.says) {
						reply = c.says[len(prompts)-1]
					}
				}
				fmt.Fprintf(w, `{"model":"m","choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`, quoted(reply))
			}))
			defer model.Close()
			dir := write(t, map[string]string{
				"s.evalset.json":   `{"eval_set_id": "s", "eval_cases": [{"eval_id": "sim", "conversation_scenario": {"starting_prompt": "Hello", "conversation_plan": "Ask for the balance."` + c.scenario + `}}]}`,
				"test_config.json": `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 1, "judge_model_options": {"num_samples": 1}, "rubrics": [{"rubric_id": "kind", "rubric_content": {"text_property": "The answer is kind."}}]}}, "user_simulator_config": {` + c.config + `}}`,
				"targets.yaml":     "targets: [{ name: it, provider: openai, model: m, base_url: '" + model.URL + "', api_key: sk-test }]\n",
			})
			set, result := filepath.Join(dir, "s.evalset.json"), filepath.Join(dir, "s.evalset_result.json")
			code, stdout, stderr := rubric(t, "", "run", set, "--target", "adk:"+agent.URL, "--judge", cmp.Or(c.judge, "it"), "--no-cache", "--ignore-errors", "--record", result)
			if code != c.code || !strings.Contains(stdout, c.want) {
				t.Fatalf("exit status %d\n%s%s", code, stdout, stderr)
			}
			var said []string
			for _, e := range strings.Split(readFile(t, result), `"user_content"`)[1:] {
				_, e, _ = strings.Cut(e, `"text": "`)
				e, _, _ = strings.Cut(e, `"`)
				said = append(said, e)
			}
			if !slices.Equal(said, c.turns) {
				t.Errorf("the user said %q", said)
			}
			for _, part := range c.prompt {
				if !strings.Contains(prompts[len(c.says)-1], part) {
					t.Errorf("the model was asked\n%s", prompts[len(c.says)-1])
				}
			}
		})
	}
}

// TestScenarioAlone: without an agent and a recording, a scenario has nothing to measure.
func TestScenarioAlone(t *testing.T) {
	dir := write(t, map[string]string{"s.evalset.json": `{"eval_set_id": "s", "eval_cases": [{"eval_id": "sim", "conversation_scenario": {"starting_prompt": "Hello", "conversation_plan": "Ask."}}]}`})
	code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "s.evalset.json"))
	if code != 3 || !strings.Contains(stdout, "its user is simulated when a running agent is the target, as in `adk:http://localhost:8000`") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}
