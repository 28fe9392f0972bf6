package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const bankSet = `{"eval_set_id": "bank", "eval_cases": [
	{"eval_id": "balance", "session_input": {"app_name": "bank", "user_id": "ann", "state": {"account": 7}}, "conversation": [
		{"user_content": {"role": "user", "parts": [{"text": "What is my balance?"}]}, "final_response": {"role": "model", "parts": [{"text": "Your balance is 12.50 euros."}]},
		 "intermediate_data": {"tool_uses": [{"name": "get_balance", "args": {"account": 7}}]}},
		{"user_content": {"parts": [{"text": "Thanks, bye"}]}, "final_response": {"parts": [{"text": "Goodbye."}]}}]},
	{"eval_id": "limit", "conversation": [
		{"user_content": {"parts": [{"text": "What is my limit?"}]}, "final_response": {"parts": [{"text": "Your limit is 500 euros."}]}}]}
]}`

const bankConfig = `{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}`

// TestAgent runs an evalset against a running agent: sessions begin as the cases say, tool calls and answers are
// measured as those of a recording, and the recording gives the same result again.
func TestAgent(t *testing.T) {
	server := newADKServer(t, teller)
	server.describe = `{"name":"bank","rootAgentName":"teller","description":"","language":"python","agents":{"teller":{"name":"teller","description":"","instruction":"Be kind.","tools":[{"functionDeclarations":[{"name":"get_balance"}]}],"subAgents":[]}}}`
	dir := write(t, map[string]string{"bank.evalset.json": bankSet, "test_config.json": bankConfig})
	set, result, out := filepath.Join(dir, "bank.evalset.json"), filepath.Join(t.TempDir(), "out.evalset_result.json"), filepath.Join(dir, "out.jsonl")
	code, stdout, stderr := rubric(t, "", "run", set, "--target", "adk:"+server.URL, "--record", result, "--out", out)
	if code != 1 || !strings.Contains(stdout, "1 pass, 1 fail") || !strings.Contains(stdout, "adk:"+server.URL) {
		t.Fatalf("exit status %d\n%s%s", code, stdout, stderr)
	}
	var written struct {
		Cases []struct {
			ID      string `json:"eval_id"`
			User    string `json:"user_id"`
			Session string `json:"session_id"`
			Details struct {
				State  map[string]any
				Events []any
			} `json:"session_details"`
			Turns []struct {
				Actual json.RawMessage `json:"actual_invocation"`
			} `json:"eval_metric_result_per_invocation"`
		} `json:"eval_case_results"`
	}
	if err := json.Unmarshal([]byte(readFile(t, result)), &written); err != nil || len(written.Cases) != 2 {
		t.Fatalf("%v\n%s", err, readFile(t, result))
	}
	first := written.Cases[0]
	if first.User != "ann" || !strings.HasPrefix(first.Session, "___eval___session___") || first.Details.State["account"] != 7.0 || len(first.Details.Events) != 6 || written.Cases[1].User != "test_user_id" {
		t.Errorf("%+v", written.Cases)
	}
	var compact strings.Builder
	json.NewEncoder(&compact).Encode(first.Turns[0].Actual)
	want := `{"invocation_id":"e-1","user_content":{"parts":[{"text":"What is my balance?"}],"role":"user"},` +
		`"final_response":{"parts":[{"text":"Your balance is 12.50 euros."}],"role":"model"},"intermediate_data":{"invocation_events":[` +
		`{"author":"teller","content":{"parts":[{"functionCall":{"args":{"account":7},"id":"adk-1","name":"get_balance"}}],"role":"model"}},` +
		`{"author":"teller","content":{"parts":[{"functionResponse":{"id":"adk-1","name":"get_balance","response":{"balance":12.5}}}],"role":"user"}},` +
		`{"author":"teller","usage_metadata":{"candidatesTokenCount":3,"promptTokenCount":10,"totalTokenCount":13}}]},` +
		`"creation_timestamp":1700000000.5,"app_details":{"agent_details":{"teller":{"name":"teller","instructions":"Be kind.","tool_declarations":[{"functionDeclarations":[{"name":"get_balance"}]}]}}}}` + "\n"
	if compact.String() != want {
		t.Errorf("recorded\n%s\nis not\n%s", compact.String(), want)
	}
	if code, stdout, stderr := rubric(t, "", "check", result); code != 0 {
		t.Errorf("the recording has findings: %s%s", stdout, stderr)
	}
	code, again, stderr := rubric(t, "", "run", set, "--recorded", result, "--format", "jsonl")
	if lines := strings.Split(again, "\n"); code != 1 || metricsOf(lines[0]) == "" || metricsOf(lines[0]) != metricsOf(strings.Split(readFile(t, out), "\n")[0]) {
		t.Errorf("exit status %d: measured again\n%s%s\nfirst\n%s", code, again, stderr, readFile(t, out))
	}
	recorded := filepath.Join(dir, "recorded.jsonl")
	rubric(t, "", "run", set, "--recorded", result, "--out", recorded)
	if code, stdout, stderr := rubric(t, "", "runs", "compare", out, recorded); code != 0 || !strings.Contains(stdout, "2 tied of 2") {
		t.Errorf("exit status %d: the recording is compared\n%s%s", code, stdout, stderr)
	}
	asked := server.count("POST /run_sse")
	if code, _, stderr := rubric(t, "", "run", set, "--target", "adk:"+server.URL, "--out", out, "--resume"); code != 1 || asked != 3 || server.count("POST /run_sse") != asked {
		t.Errorf("exit status %d, asked %d times, and %d after --resume: %s", code, asked, server.count("POST /run_sse"), stderr)
	}
}

// metricsOf returns the metrics of a record.
func metricsOf(line string) string {
	_, metrics, _ := strings.Cut(line, `"evaluator_results":`)
	metrics, _, _ = strings.Cut(metrics, `,"informational_metrics":`)
	metrics, _, _ = strings.Cut(metrics, `,"trace_summary"`)
	metrics, _, _ = strings.Cut(metrics, `,"conversation"`)
	return strings.TrimSuffix(metrics, "}")
}

// TestAgentFails: what fails in a conversation leaves its case ungraded with the reason, and no other.
func TestAgentFails(t *testing.T) {
	ask := func(id, second string) string {
		return `{"eval_id": "` + id + `", "conversation": [{"user_content": {"parts": [{"text": "bye"}]}, "final_response": {"parts": [{"text": "Goodbye."}]}},
			{"user_content": {"parts": [{"text": "` + second + `"}]}, "final_response": {"parts": [{"text": "Goodbye."}]}}]}`
	}
	for name, c := range map[string]struct {
		message string
		fail    func(*adkServer) func(http.ResponseWriter, *http.Request) bool
		want    string
	}{
		"an exception":     {"crash now", nil, "the agent gave no answer in turn 2: the agent failed: ValueError: the \"ledger\" tool is broken"},
		"an error code":    {"a long one", nil, "the agent gave no answer in turn 2: the agent's model failed: MAX_TOKENS: the answer is too long"},
		"a lost session":   {"lose it", failSecond(func(w http.ResponseWriter) { writeDetail(w, 404, "Session not found: x") }), "/run_sse answered 404 Not Found: Session not found: x"},
		"a failed server":  {"fail", failSecond(func(w http.ResponseWriter) { http.Error(w, "Internal Server Error", 500) }), "/run_sse answered 500 Internal Server Error: Internal Server Error"},
		"no events":        {"say nothing", failSecond(func(w http.ResponseWriter) { w.Write(nil) }), "turn 2: the agent returned no events"},
		"another protocol": {"talk", failSecond(func(w http.ResponseWriter) { w.Write([]byte("data: [1]\n\n")) }), "the server's event is not ADK's: [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			server := newADKServer(t, teller)
			if c.fail != nil {
				server.fail = c.fail(server)
			}
			dir := write(t, map[string]string{"s.evalset.json": `{"eval_set_id": "s", "eval_cases": [` + ask("broken", c.message) + "," + ask("whole", "bye") + `]}`, "test_config.json": bankConfig})
			code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "s.evalset.json"), "--target", "adk:"+server.URL, "--workers", "1")
			if code != 3 || !strings.Contains(stdout, c.want) || !strings.Contains(stdout, "1 pass") || !strings.Contains(stdout, "1 ungraded") {
				t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// failSecond fails the second turn of the first session.
func failSecond(respond func(http.ResponseWriter)) func(*adkServer) func(http.ResponseWriter, *http.Request) bool {
	return func(s *adkServer) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if s.count("POST /run_sse") != 2 || r.URL.Path != "/run_sse" {
				return false
			}
			respond(w)
			return true
		}
	}
}

// TestAgentSettings checks who is asked, with which key, and what is said when that is not possible.
func TestAgentSettings(t *testing.T) {
	const run, here = "run SET", "--target adk:URL"
	for name, c := range map[string]struct {
		args    string
		env     string
		project string
		targets string // the settings of the target bank-agent
		apps    []string
		token   string
		code    int
		want    string
		asks    bool
	}{
		"no server":            {args: run + " --target adk:http://127.0.0.1:1", code: 3, want: "could not be reached: GET http://127.0.0.1:1/list-apps: nothing listens at `127.0.0.1:1`; start it with `adk api_server --port 1 "},
		"no address":           {args: run + " --target adk:bank", code: 2, want: "its address is not that of an ADK server, as in `http://localhost:8000`"},
		"another target":       {args: run + " --target cli:agent", code: 2, want: "the conversations of an evalset are recorded, or held with an agent, as in --target adk:http://localhost:8000"},
		"both":                 {args: run + " --recorded SET " + here, code: 2, want: "choose one of the two"},
		"the expected ones":    {args: run + " --target self", code: 3, want: "nothing to compare it with"},
		"its own app":          {args: run + " " + here, apps: []string{"shop", "bank"}, code: 3, want: "has the apps `shop` and `bank`, and the case has no `app_name` in its `session_input`; name one, as in `adk:", asks: true},
		"an app":               {args: run + " " + here + "/apps/bank", apps: []string{"shop", "bank"}, code: 1, want: "1 pass, 1 fail", asks: true},
		"an unknown app":       {args: run + " " + here + "/apps/bnak", code: 2, want: "has no app `bnak`; did you mean `bank`?"},
		"no apps":              {args: run + " " + here, apps: []string{}, code: 3, want: "has no apps"},
		"a token":              {args: run + " " + here, env: "secret-token", token: "secret-token", code: 1, want: "1 pass, 1 fail", asks: true},
		"no token":             {args: run + " " + here, token: "secret-token", code: 3, want: "/list-apps answered 401 Unauthorized"},
		"a plan":               {args: run + " --dry-run " + here, env: "secret-token", code: 0, want: "target: 3 calls"},
		"a plan's key":         {args: run + " --dry-run " + here, env: "secret-token", code: 0, want: "with the key from `ADK_TOKEN` of the environment"},
		"without consent":      {args: run, project: "target: adk:URL\n", code: 2, want: "target `adk:URL`, which DIR/.rubric.yaml names, asks HOST"},
		"with consent":         {args: run + " --trust", project: "target: adk:URL\n", code: 1, want: "1 pass, 1 fail", asks: true},
		"a recording instead":  {args: run + " --recorded SET", project: "target: adk:URL\n", code: 3, want: "2 ungraded"},
		"a project's other":    {args: run, project: "target: openai:gpt-4o\n", code: 3, want: "nothing to compare it with"},
		"a result file itself": {args: "run RESULT " + here, code: 2, want: "is itself a recording; name the evalset, whose questions --target answers"},
		"a defined target":     {args: run + " --target bank-agent", targets: "base_url: URL/apps/bank, api_key: '${{ MY_TOKEN }}'", env: "unused", token: "secret-token", code: 1, want: "target bank-agent", asks: true},
		"its plan":             {args: run + " --dry-run --target bank-agent", targets: "base_url: URL, api_key: '${{ MY_TOKEN }}'", token: "secret-token", code: 0, want: "target `bank-agent` asks HOST with the key from `MY_TOKEN` of the environment"},
		"its header":           {args: run + " --target bank-agent", targets: "base_url: URL, headers: { Authorization: 'Bearer secret-token' }", token: "secret-token", code: 1, want: "1 pass, 1 fail", asks: true},
		"of the project":       {args: run, targets: "base_url: URL", project: "target: bank-agent\n", code: 2, want: "target `bank-agent`, which DIR/.rubric.yaml names, asks HOST"},
		"without an address":   {args: run + " --target bank-agent", targets: "workers: 2", code: 2, want: "target `bank-agent`: it has no `base_url`"},
		"of a list":            {args: "targets SET", targets: "base_url: URL", code: 0, want: "bank-agent"},
		"tested":               {args: "targets --check SET", targets: "base_url: URL", code: 0, want: "bank-agent"},
		"tested without it":    {args: "targets --check SET", targets: "base_url: 'http://127.0.0.1:1'", code: 3, want: "nothing listens at `127.0.0.1:1`; start it with `adk api_server --port 1 "},
		"another dialect":      {args: "run CASE " + here, code: 0, want: "1 pass", asks: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := newADKServer(t, teller)
			server.token = c.token
			if c.apps != nil {
				server.apps = c.apps
			}
			t.Setenv("ADK_TOKEN", c.env)
			files := map[string]string{
				"bank.evalset.json": bankSet, "test_config.json": bankConfig, "r/x.evalset_result.json": `{"eval_set_id": "bank", "eval_case_results": []}`,
				"case.yaml": "tests:\n  - { id: a, criteria: C, input: What is my balance?, assertions: [{ type: contains, value: 12.50 euros }, { type: tool-trajectory, mode: exact, expected: [{ tool: get_balance }] }] }\n",
			}
			if c.project != "" {
				files[".rubric.yaml"] = strings.ReplaceAll(c.project, "URL", server.URL)
			}
			if t.Setenv("MY_TOKEN", c.token); c.targets != "" {
				files["targets.yaml"] = "targets: [{ name: bank-agent, provider: adk, " + strings.ReplaceAll(c.targets, "URL", server.URL) + " }]\n"
			}
			dir := write(t, files)
			places := strings.NewReplacer("SET", filepath.Join(dir, "bank.evalset.json"), "RESULT", filepath.Join(dir, "r", "x.evalset_result.json"), "CASE", filepath.Join(dir, "case.yaml"),
				"URL", server.URL, "DIR", dir, "HOST", strings.TrimPrefix(server.URL, "http://"))
			code, stdout, stderr := rubric(t, "", strings.Fields(places.Replace(c.args))...)
			if all := stdout + stderr; code != c.code || !strings.Contains(all, places.Replace(c.want)) || strings.Contains(all, "secret-token") {
				t.Errorf("exit status %d\n%s", code, all)
			}
			if asked := server.count("POST") > 0; asked != c.asks {
				t.Errorf("asked %v: %v", asked, server.requests)
			}
		})
	}
}

// TestAgentResumes: after a judge has failed, --resume asks it on the conversations that were held.
func TestAgentResumes(t *testing.T) {
	server := newADKServer(t, teller)
	dir := write(t, map[string]string{"bank.evalset.json": bankSet, "test_config.json": `{"criteria": {"final_response_match_v2": {"threshold": 0.5, "judge_model_options": {"num_samples": 1}}}}`})
	set, out, reply := filepath.Join(dir, "bank.evalset.json"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "reply.json")
	args := []string{"run", set, "--target", "adk:" + server.URL, "--judge", "cli:cat " + reply, "--out", out}
	code, stdout, _ := rubric(t, "", args...)
	if code != 3 || !strings.Contains(stdout, "2 ungraded") || server.count("POST /run_sse") != 3 {
		t.Fatalf("exit status %d, asked %v\n%s", code, server.requests, stdout)
	}
	if err := os.WriteFile(reply, []byte(`{"reasoning": "r", "is_the_agent_response_valid": "valid"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := rubric(t, "", append(args, "--resume")...)
	if code != 0 || !strings.Contains(stdout, "2 pass") || server.count("POST /run_sse") != 3 {
		t.Errorf("exit status %d, asked %d times\n%s%s", code, server.count("POST /run_sse"), stdout, stderr)
	}
}

// TestAgentTrials: --trials holds each conversation as often.
func TestAgentTrials(t *testing.T) {
	server := newADKServer(t, teller)
	dir := write(t, map[string]string{"bank.evalset.json": bankSet, "test_config.json": bankConfig})
	code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "bank.evalset.json"), "--target", "adk:"+server.URL, "--trials", "2")
	if code != 1 || !strings.Contains(stdout, "2 of 2 pass (pass@2)") || !strings.Contains(stdout, "1 pass, 1 fail") || server.count("POST /run_sse") != 6 {
		t.Errorf("exit status %d, asked %d times\n%s%s", code, server.count("POST /run_sse"), stdout, stderr)
	}
}

// TestAgentTimeout: a turn that takes longer than --timeout leaves its case ungraded.
func TestAgentTimeout(t *testing.T) {
	over := make(chan struct{})
	server := newADKServer(t, func(*adkSession, string) ([]map[string]any, error) {
		<-over
		return nil, nil
	})
	t.Cleanup(func() { close(over) }) // before the server closes
	dir := write(t, map[string]string{"bank.evalset.json": bankSet, "test_config.json": bankConfig})
	code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "bank.evalset.json"), "--target", "adk:"+server.URL, "--timeout", "50ms")
	if code != 3 || !strings.Contains(stdout+stderr, "timed out after 50ms") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}
