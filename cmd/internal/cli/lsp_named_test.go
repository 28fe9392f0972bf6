package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// defaultSettings are those that VS Code sends of a user who has set nothing.
const defaultSettings = `{"target":"","judge":"","profile":"","samples":null,"workers":null,"threshold":null,"maxCalls":null,"timeout":"","allowExec":false}`

// namingFiles name a target with a judge of its own, a project with defaults, and a judge of ADK's metrics.
var namingFiles = map[string]string{
	".git/HEAD":      "",
	"e.eval.yaml":    "execution: { target: default }\n" + helloCase,
	"gone.eval.yaml": "execution: { target: nowhere }\n" + helloCase,
	"two.eval.yaml":  "execution: { targets: [default, strict] }\ntests: [{ id: a, criteria: Greets, input: Q, assertions: [{ type: contains, value: x }] }]\n",
	"targets.yaml":   "targets:\n  - { name: default, provider: cli, command_template: 'touch ran; echo rubbish', grader_target: strict }\n  - { name: strict, provider: cli, command_template: 'cat reply.json' }\n",
	"own.eval.yaml":  strings.Replace(helloCase, "{ id: a,", "{ id: a, execution: { target: default },", 1),
	"reply.json":     `{"checks":[{"id":"rubric-1","satisfied":false,"reasoning":"no greeting"}]}`,

	"project/.rubric.yaml": "target: 'mock:Hello'\nprofile: agentv\nsamples: 2\nworkers: 1\nthreshold: 0.9\nmax_calls: 7\n",
	"project/e.eval.yaml":  helloCase,
	"faulty/.rubric.yaml":  "samples: 0\n",
	"faulty/e.eval.yaml":   helloCase,
	"adk/s.evalset.json":   `{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Q"}]}, "final_response": {"parts": [{"text": "A"}]}}]}]}`,
	"adk/test_config.json": `{"criteria": {"final_response_match_v2": {"threshold": 0.5, "judge_model_options": {"judge_model": "openai/judge-1"}}}}`,
}

const helloCase = "evalcases: [{ id: a, expected_outcome: Greets, input: Say hello, expected_output: Hello, rubrics: [Mentions “Hello”] }]\n"

// An openedFile is a file that an editor has open.
type openedFile struct {
	*lsptest.Editor
	t   *testing.T
	uri string
}

// openInEditor opens a file of a folder in an editor with settings. More are further parameters of
// initialize.
func openInEditor(t *testing.T, dir, name, capabilities, settings string, more ...string) openedFile {
	t.Helper()
	root := "file://" + filepath.ToSlash(dir)
	e := startEditor(t, capabilities, append(more, fmt.Sprintf(`"workspaceFolders":[{"uri":%q,"name":"named"}]`, root))...)
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":`+settings+`}}`)
	uri := root + "/" + name
	e.Open(uri, readFile(t, filepath.Join(dir, name)))
	return openedFile{e, t, uri}
}

// execute executes a command for the file. It returns its result or the error's message.
func (f openedFile) execute(command string) string {
	f.t.Helper()
	result, failed := f.AwaitResponse(f.StartRequest("workspace/executeCommand", fmt.Sprintf(`{"command":%q,"arguments":[{"uri":%q}]}`, command, f.uri)))
	if failed != nil {
		return failed.Message
	}
	return string(result)
}

// run runs the file. It returns its records, or why nothing ran.
func (f openedFile) run() string {
	f.t.Helper()
	started := f.execute("rubric.runFile")
	if !strings.HasPrefix(started, "{") {
		return started
	}
	var job struct{ Job string }
	decode(f.t, []byte(started), &job)
	end := f.Await("the end of the run", func(m lsptest.Message) bool {
		params := string(m.Params)
		return m.Method == "rubric/results" && strings.Contains(params, fmt.Sprintf("%q", job.Job)) && !strings.Contains(params, `"state":"running"`)
	})
	var last struct{ State, Message string }
	decode(f.t, end.Params, &last)
	if last.State != "done" {
		return last.Message
	}
	return string(f.Request("rubric/records", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, f.uri)))
}

// TestEditorRunsNamed checks that a run in a trusted workspace asks whom the settings name, or else
// the eval file, or else the project.
func TestEditorRunsNamed(t *testing.T) {
	for _, c := range []struct {
		file, settings string
		want           []string
		ran            bool // the target's command
	}{
		{"e.eval.yaml", defaultSettings, []string{`"target":"default"`, `"judge":"strict"`}, true},
		{"e.eval.yaml", `{"judge":"offline"}`, []string{`"target":"default"`, `"judge":"offline"`}, true},
		{"e.eval.yaml", `{"target":"self","judge":"offline"}`, []string{`"target":"self (expected output)"`, `"judge":"offline"`}, false},
		{"own.eval.yaml", `{"judge":"offline"}`, []string{`"target":"default"`}, true},
		{"own.eval.yaml", `{"target":"self"}`, []string{`"target":"self (expected output)"`}, false},
		{"gone.eval.yaml", `{}`, []string{"gone.eval.yaml names the target `nowhere`: ", "there is no target `nowhere`", "choose another with rubric.target, such as `self`"}, false},
		{"two.eval.yaml", `{}`, []string{"nothing is run: you have not chosen a target"}, false},
		{"two.eval.yaml", `{"target":"strict","judge":"offline"}`, []string{`"target":"strict"`}, false},
		{"project/e.eval.yaml", defaultSettings, []string{`"target":"mock"`, `"profile":"agentv"`}, false},
		{"project/e.eval.yaml", `{"target":"self","profile":"spec"}`, []string{`"target":"self (expected output)"`, `"profile":"spec"`}, false},
		{"faulty/e.eval.yaml", `{}`, []string{".rubric.yaml: line 1: `samples` must be from 1 to 1000, not 0"}, false},
		{"adk/s.evalset.json", `{"judge":"offline"}`, []string{`"judge":"offline"`}, false},
	} {
		t.Run(c.file+c.settings, func(t *testing.T) {
			dir := write(t, namingFiles)
			f := openInEditor(t, dir, c.file, `{}`, c.settings, `"initializationOptions":{"trusted":true}`)
			got := f.run()
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in\n%.600s", want, got)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "ran")); (err == nil) != c.ran {
				t.Errorf("the target ran: %v", err == nil)
			}
			f.Request("shutdown", nil)
		})
	}
}

// TestEditorChoosesTarget checks that the user chooses which of several targets of a file answers, and that the
// result is then not stale.
func TestEditorChoosesTarget(t *testing.T) {
	dir := write(t, namingFiles)
	f := openInEditor(t, dir, "two.eval.yaml", `{}`, `{"judge":"offline"}`, `"initializationOptions":{"trusted":true}`)
	answers := make(chan any, 3)
	f.Handle("window/showMessageRequest", func(params json.RawMessage) any {
		if !strings.Contains(string(params), `"actions":[{"title":"default"},{"title":"strict"}]`) {
			t.Errorf("asked %s", params)
		}
		return <-answers
	})
	answers <- map[string]string{"title": "strict"}
	if got := f.run(); !strings.Contains(got, `"target":"strict"`) {
		t.Errorf("%s", got)
	}
	lenses := string(f.Request("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, f.uri)))
	if !strings.Contains(lenses, "Grades default, strict · offline judge") || !strings.Contains(lenses, "fail, score 0") || strings.Contains(lenses, "stale") {
		t.Errorf("the lenses are %s", lenses)
	}
	answers <- map[string]string{"title": "default"}
	if got := f.execute("rubric.dryRun"); !strings.Contains(got, `"target":"default"`) {
		t.Errorf("%s", got)
	}
	answers <- nil
	if got := f.run(); got != "nothing is run: you have not chosen a target" {
		t.Errorf("%s", got)
	}
	f.Request("shutdown", nil)
}

// TestEditorPlansNamed checks that a dry run names whom a run would ask, and asks nobody.
func TestEditorPlansNamed(t *testing.T) {
	for file, wants := range map[string][]string{
		"e.eval.yaml":        {`"target":"default"`, `"judge":"strict"`, `"command":"touch"`, `"command":"cat"`, "\"notes\":[\"target `default` runs `touch`"},
		"adk/s.evalset.json": {`"judge":"openai:judge-1"`, `"host":"api.openai.com"`},
		"gone.eval.yaml":     {"there is no target `nowhere`", "rubric.target"},
	} {
		dir := write(t, namingFiles)
		f := openInEditor(t, dir, file, `{}`, defaultSettings, `"initializationOptions":{"trusted":true}`)
		got := f.execute("rubric.dryRun")
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in\n%s", file, want, got)
			}
		}
		items := string(f.Request("rubric/testItems", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, f.uri)))
		if file == "e.eval.yaml" && !strings.Contains(items, `"run":{"target":"default","judge":"strict",`) {
			t.Errorf("the items are %s", items)
		}
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Errorf("%s: a dry run ran the target", file)
		}
		f.Request("shutdown", nil)
	}
}

// TestEditorConsent checks that what files name runs only with a consent: the workspace's trust, the
// user's answer in the editor, or rubric trust.
func TestEditorConsent(t *testing.T) {
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, t.TempDir())
	}
	dir := write(t, namingFiles)
	hasRun := func() bool { return os.Remove(filepath.Join(dir, "ran")) == nil }
	check := func(name, got, want string, ran bool) {
		t.Helper()
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", name, want, got)
		}
		if hasRun() != ran {
			t.Errorf("%s: the target ran: %v", name, !ran)
		}
	}
	untrusted := openInEditor(t, dir, "e.eval.yaml", `{}`, `{}`, `"initializationOptions":{"trusted":false}`)
	check("untrusted", untrusted.run(), "nothing is run: this workspace is not trusted, and "+dir+"/e.eval.yaml names the target `default`; trust the workspace in your editor first", false)
	own := openInEditor(t, dir, "own.eval.yaml", `{}`, `{}`, `"initializationOptions":{"trusted":false}`)
	check("untrusted", own.run(), "own.eval.yaml names the target `default`; trust the workspace", false)
	unstatedOwn := openInEditor(t, dir, "own.eval.yaml", `{}`, `{}`)
	check("no consent", unstatedOwn.run(), "this needs your consent once:\n  target `default`", false)
	sandboxed := openInEditor(t, dir, "e.eval.yaml", `{}`, `{"sandboxedGraders":true}`, `"initializationOptions":{"trusted":false}`)
	check("sandboxed", sandboxed.run(), `"target":"self (expected output)"`, false)
	sandboxed.Await("a note", func(m lsptest.Message) bool {
		return m.Method == "rubric/results" && strings.Contains(string(m.Params), "names the target `default`, which is not asked, because this workspace is not trusted")
	})

	unstated := openInEditor(t, dir, "e.eval.yaml", `{}`, `{}`)
	check("no consent", unstated.run(), "this needs your consent once:\n  target `default`, which "+dir+"/e.eval.yaml names, runs `touch`", false)
	check("no consent", unstated.run(), "allow it with `rubric trust "+dir+"/e.eval.yaml`", false)
	asking := openInEditor(t, dir, "e.eval.yaml", `{"experimental":{"rubric":{"trust":true}}}`, `{}`)
	answers, questions := make(chan bool, 3), make(chan string, 4)
	asking.Handle("rubric/trust", func(params json.RawMessage) any {
		questions <- string(params)
		return map[string]bool{"trusted": <-answers}
	})
	answers <- false
	check("refused", asking.run(), "nothing is run: you have not allowed the target `default`", false)
	answers <- true
	check("allowed", asking.run(), `"target":"default"`, true)
	if question := <-questions; !strings.Contains(question, `"files":["`+dir+`/targets.yaml"]`) || !strings.Contains(question, "runs `touch`") {
		t.Errorf("asked %s", question)
	}
	asking.Change(asking.uri, 2, lsptest.FullChange(namingFiles["e.eval.yaml"]+"# edited\n"))
	check("once allowed", asking.run(), `"target":"default"`, true)
	answers <- false
	if err := os.WriteFile(filepath.Join(dir, "targets.yaml"), []byte(namingFiles["targets.yaml"]+"# changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	check("with other targets", asking.run(), "you have not allowed", false)
	if asked := len(questions) + 1; asked != 3 {
		t.Errorf("asked %d times", asked)
	}
	t.Chdir(dir)
	if code, _, stderr := rubric(t, "", "trust", "e.eval.yaml"); code != 0 {
		t.Fatal(stderr)
	}
	check("with consent", unstated.run(), `"target":"default"`, true)
	check("with consent, and asking", asking.run(), `"target":"default"`, true)
	for _, f := range []openedFile{untrusted, own, unstatedOwn, sandboxed, unstated, asking} {
		f.Request("shutdown", nil)
	}
}

// TestEditorAgent: the target of an editor's settings or of the project can be a running agent, which is asked
// for new conversations only.
func TestEditorAgent(t *testing.T) {
	server := newADKServer(t, teller)
	for _, c := range []struct {
		name, settings, project string
		asked                   int
		want                    []string
	}{
		{"the settings", `{"target":"adk:` + server.URL + `"}`, "", 3, []string{`"target":"adk:` + server.URL + `"`, `"eval_id":"balance"`, `"verdict":"pass"`, `"session_details":{`}},
		{"the project", `{}`, "target: adk:" + server.URL + "\n", 3, []string{`"target":"adk:` + server.URL + `"`}},
		{"a defined target", `{"target":"bank"}`, "", 3, []string{`"target":"bank"`}},
		{"a recording", `{"recorded":"s.evalset.json"}`, "target: adk:" + server.URL + "\n", 0, []string{`"target":"s.evalset.json"`}},
		{"another target", `{"target":"cli:agent"}`, "", 0, []string{`"target":"self (expected conversation)"`}},
		{"no server", `{"target":"adk:http://127.0.0.1:1"}`, "", 0, []string{"the agent's server could not be reached", "adk api_server --port 1 "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, requests := server.count("POST /run_sse"), server.count("")
			dir := write(t, map[string]string{".git/HEAD": "", "s.evalset.json": bankSet, "test_config.json": bankConfig, ".rubric.yaml": c.project, "targets.yaml": "targets: [{ name: bank, provider: adk, base_url: '" + server.URL + "' }]\n"})
			f := openInEditor(t, dir, "s.evalset.json", `{}`, c.settings, `"initializationOptions":{"trusted":true}`)
			plan := f.execute("rubric.dryRun")
			if c.asked > 0 && !strings.Contains(plan, `"contacts":[{"role":"target","name":"`) || server.count("") > requests {
				t.Errorf("the plan is %s, after %v", plan, server.requests)
			}
			got := f.run()
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in\n%.900s", want, got)
				}
			}
			if asked := server.count("POST /run_sse") - before; asked != c.asked {
				t.Errorf("the agent was asked %d times", asked)
			}
			if c.asked > 0 {
				started := f.execute("rubric.rejudge")
				f.Await("the end of the second run", func(m lsptest.Message) bool {
					var job struct{ Job string }
					decode(t, []byte(started), &job)
					return m.Method == "rubric/results" && strings.Contains(string(m.Params), job.Job) && strings.Contains(string(m.Params), `"state":"done"`)
				})
				if again := server.count("POST /run_sse") - before; again != c.asked {
					t.Errorf("with the last conversations the agent was asked %d times", again)
				}
			}
			f.Request("shutdown", nil)
		})
	}
}

// TestEditorEnvironment: variables of the environment are filled in as on the command line, and the result does
// not become stale by that.
func TestEditorEnvironment(t *testing.T) {
	t.Setenv("RUBRIC_TEST_SHOP", "Lamps")
	dir := write(t, map[string]string{".git/HEAD": "", "x.eval.yaml": `name: x
tests:
  - { id: a, criteria: Greets, input: Who is it?, expected_output: "It is ${{ RUBRIC_TEST_SHOP }}", assertions: [{ type: contains, value: "Lamps" }] }
`})
	f := openInEditor(t, dir, "x.eval.yaml", `{}`, `{"target":"self","judge":"offline"}`, `"initializationOptions":{"trusted":true}`)
	if got := f.run(); !strings.Contains(got, `"verdict":"pass"`) || !strings.Contains(got, "It is Lamps") {
		t.Errorf("%s", got)
	}
	if lenses := string(f.Request("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, f.uri))); !strings.Contains(lenses, "pass") || strings.Contains(lenses, "stale") {
		t.Errorf("%s", lenses)
	}
	f.Request("shutdown", nil)
}

// TestEditorRecordings: an evalset offers the result files of its set next to it, and is then measured on the chosen one.
func TestEditorRecordings(t *testing.T) {
	recording := func(set, answer string) string {
		return `{"eval_set_id": "` + set + `", "eval_case_results": [{"eval_id": "a", "eval_metric_result_per_invocation": [{"actual_invocation": {"user_content": {"parts": [{"text": "Q"}]}, "final_response": {"parts": [{"text": "` + answer + `"}]}}}]}]}`
	}
	dir := write(t, map[string]string{
		".git/HEAD": "", "s.evalset.json": namingFiles["adk/s.evalset.json"], "test_config.json": `{"criteria": {"response_match_score": 0.5}}`,
		"good.evalset_result.json": recording("s", "A"), "bad.evalset_result.json": recording("s", "no"), "other.evalset_result.json": recording("z", "A"),
	})
	f := openInEditor(t, dir, "s.evalset.json", `{}`, `{"judge":"offline"}`, `"initializationOptions":{"trusted":true}`)
	lenses := func() string {
		return string(f.Request("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, f.uri)))
	}
	measure := func(recorded string) {
		result, failed := f.AwaitResponse(f.StartRequest("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.measureRecording","arguments":[{"uri":%q,"recorded":%q}]}`, f.uri, recorded)))
		if failed != nil {
			t.Fatal(failed.Message)
		}
		if recorded == "" {
			return
		}
		var job struct{ Job string }
		decode(t, result, &job)
		f.Await("the end of the run", func(m lsptest.Message) bool {
			return m.Method == "rubric/results" && strings.Contains(string(m.Params), fmt.Sprintf("%q", job.Job)) && strings.Contains(string(m.Params), `"state":"done"`)
		})
	}
	check := func(when string, wants ...string) {
		t.Helper()
		all := lenses() + string(f.Request("rubric/records", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, f.uri)))
		for _, want := range wants {
			if text, absent := strings.CutPrefix(want, "no "); strings.Contains(all, text) == absent {
				t.Errorf("%s: %s in\n%s", when, want, all)
			}
		}
	}
	check("opened", `"title":"Measure good.evalset_result.json"`, `"recorded":"bad.evalset_result.json"`, "no other.evalset_result.json")
	measure("good.evalset_result.json")
	check("measured", `"title":"Stop measuring good.evalset_result.json"`, `"title":"Measure bad.evalset_result.json"`, `"target":"good.evalset_result.json"`, `"verdict":"pass"`)
	measure("bad.evalset_result.json")
	check("another one", `"title":"Stop measuring bad.evalset_result.json"`, `"target":"bad.evalset_result.json"`, `"verdict":"fail"`)
	measure("")
	check("stopped", `"title":"Measure bad.evalset_result.json"`, "no Stop measuring")
	f.Request("shutdown", nil)
}

// TestTargetsBelow: a new targets file in a folder below defines the target of open settings.
func TestTargetsBelow(t *testing.T) {
	dir := write(t, map[string]string{
		".rubric.yaml": "target: below\n", "targets.yaml": "targets: [{ name: other, provider: mock }]\n", "evals/e.eval.yaml": helloCase,
	})
	f := openInEditor(t, dir, ".rubric.yaml", `{}`, defaultSettings)
	isPublished := func(has bool) func(lsptest.Message) bool {
		return func(m lsptest.Message) bool {
			params := string(m.Params)
			return m.Method == "textDocument/publishDiagnostics" && strings.Contains(params, f.uri) && strings.Contains(params, "there is no target `below`") == has
		}
	}
	f.Await("the warning", isPublished(true))
	if err := os.WriteFile(filepath.Join(dir, "evals", "targets.yaml"), []byte("targets: [{ name: below, provider: mock }]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.Notify("workspace/didChangeWatchedFiles", fmt.Sprintf(`{"changes":[{"uri":%q,"type":1}]}`, "file://"+filepath.ToSlash(dir)+"/evals/targets.yaml"))
	f.AwaitNext("no warning", isPublished(false))
}
