//go:build unix

package targets_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

// agentProgram stands in for an agent's: it answers with its arguments, on its output or
// where codex is told to.
const agentProgram = `#!/bin/sh
out=/dev/stdout
[ "$1" = exec ] && shift
while [ $# -gt 0 ]; do
	case $1 in
	--output-last-message) out=$2; shift 2 ;;
	hang) sleep 60 ;;
	*) said="$said<$1>"; shift ;;
	esac
done
printf '%s\n' "$said" > "$out"
`

// TestOpenTarget opens what a targets file defines and asks it.
func TestOpenTarget(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/well":
		case "/slow":
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer site.Close()
	for _, c := range []struct {
		name, target string
		answer       string
		failed       string // opening it
		refused      string // asking it
	}{
		{"mock", "provider: mock, response: 'yes'", "yes", "", ""},
		{"mock that waits", "provider: mock, response: 'yes', delayMs: 1", "yes", "", ""},
		{"mock with a trace that is none", "provider: mock, trace: { tool: search }", "", "its `trace` is not a list of events", ""},
		{"cli", "provider: cli, command_template: 'echo {EVAL_ID} {PROMPT} {FILES}', files_format: '-f {basename}'", "c Q -f a b.txt", "", ""},
		{"cli that reads its environment", "provider: cli, command_template: 'echo ${{ GREETING }}'", "hello", "", ""},
		{"cli in the eval file's folder", "provider: cli, command_template: cat beside.txt", "beside", "", ""},
		{"cli that fails", "provider: cli, command_template: 'echo no >&2; exit 5'", "", "", "`echo` exited with status 5: no"},
		{"cli that is slow", "provider: cli, command_template: 'sleep 60', timeout_seconds: 0.1", "", "", "`sleep`: timed out after 100ms"},
		{"cli that is not there", "provider: cli, command_template: no-such-agent", "", "", "`no-such-agent` could not be reached"},
		{"cli in no folder", "provider: cli, command_template: 'true', cwd: gone", "", "", "`true` could not be reached: the folder `"},
		{"cli that is well", "provider: cli, command_template: echo x, healthcheck: { type: command, command_template: 'test -f beside.txt && test {EVAL_ID} = healthcheck' }", "x", "", ""},
		{"cli that is not well", "provider: cli, command_template: x, healthcheck: { type: command, command_template: 'echo down >&2; exit 3' }", "", "could not be reached: its healthcheck failed: the command exited with status 3: down", ""},
		{"cli whose check is slow", "provider: cli, command_template: x, healthcheck: { type: command, command_template: sleep 60, timeout_seconds: 0.1 }", "", "could not be reached: its healthcheck failed: timed out after 100ms", ""},
		{"cli that is well on the web", "provider: cli, command_template: echo x, healthcheck: { type: http, url: SITE/well }", "x", "", ""},
		{"cli that is not well on the web", "provider: cli, command_template: x, healthcheck: { type: http, url: 'SITE/ill?key=secret' }", "", "could not be reached: its healthcheck failed: SITE/ill answered 503", ""},
		{"cli whose site is slow", "provider: cli, command_template: x, healthcheck: { type: http, url: 'SITE/slow?key=secret', timeout_seconds: 0.1 }", "", "could not be reached: its healthcheck failed: SITE/slow: timed out after 100ms", ""},
		{"cli whose site is not there", "provider: cli, command_template: x, healthcheck: { type: http, url: 'http://127.0.0.1:1/?key=secret' }", "", "could not be reached: its healthcheck failed: http://127.0.0.1:1/: dial", ""},
		{"cli whose site is none", "provider: cli, command_template: x, healthcheck: { type: http, url: '://secret' }", "", "could not be reached: its healthcheck failed: its `url` is invalid", ""},
		{"a check of no type", "provider: cli, command: 'echo x', healthcheck: { url: SITE/well }", "x", "", ""},
		{"a check of no type by command", "provider: cli, command: 'echo x', healthcheck: { command: 'exit 3' }", "", "could not be reached: its healthcheck failed: the command exited with status 3", ""},
		{"a check of no type and nothing", "provider: cli, command_template: x, healthcheck: { cwd: a }", "", "its `healthcheck` needs a `type`", ""},
		{"a check of nothing", "provider: cli, command_template: x, healthcheck: { type: command }", "", "or `command` with a `command_template`", ""},
		{"a misspelt placeholder", "provider: cli, command_template: 'x {PROMT}'", "", "unknown placeholder `{PROMT}`", ""},
		{"no command", "provider: cli", "", "it has no `command_template`", ""},
		{"no provider", "workers: 1", "", "it has no `provider`", ""},
		{"what is not set", "provider: cli, command_template: 'x ${{ NOT_SET_B }} ${{ NOT_SET_A }}'", "", "not set in the environment or a .env file beside or above the targets file: NOT_SET_A, NOT_SET_B", ""},
		{"what another target lacks", "provider: cli, command_template: echo x }, { name: lacking, provider: cli, command_template: '${{ NOT_SET_A }}'", "x", "", ""},
		{"a model whose key is not set", "provider: azure, api_key: '${{ NOT_SET_A }}'", "", "not set in the environment or a .env file beside or above the targets file: NOT_SET_A", ""},
		{"cli for all cases", `provider: cli, provider_batching: true, command_template: 'printf "%s\n" {EVAL_ID}{PROMPT} "{\"id\": \"b\", \"text\": \"no\"}" "{\"id\": \"c\", \"text\": \"yes\"}"'`, "yes", "", ""},
		{"cli that leaves out a case", "provider: cli, provider_batching: true, command_template: 'echo {EVAL_ID}'", "", "", "`echo` printed no line of JSON with the case's `id`"},
		{"cli that prints a case twice", `provider: cli, provider_batching: true, command_template: 'printf "%s\n" "{\"id\": \"c\", \"text\": \"no\"}" "{\"id\": \"c\", \"text\": \"yes\"}"'`, "", "", "`printf` printed several lines of JSON with the case's `id`"},
		{"cli that prints a case without an answer", `provider: cli, provider_batching: true, command_template: 'printf "%s\n" "{\"id\": \"c\", \"cost\": 1}"'`, "", "", ""},
		{"cli for all cases, with files", "provider: cli, provider_batching: true, command_template: 'echo {FILES}'", "", "its command uses `{FILES}`, which differ by case", ""},
		{"codex", "provider: codex-cli, executable: ./agent, model: m, args: [--sandbox, 'a b']", "<--json><--skip-git-repo-check><--color><never><--model><m><--sandbox><a b><--><Q>", "", ""},
		{"codex in a sandbox", "provider: codex, executable: ./agent, sandboxMode: read-only, approval_policy: never", "<--json><--skip-git-repo-check><--color><never><--sandbox><read-only><--config><approval_policy=never><--><Q>", "", ""},
		{"an agent where the environment does not say", "provider: codex, executable: ./agent, cwd: '${{ NOT_SET_A }}', log_dir: '${{ NOT_SET_A }}', log_format: json", "<--json><--skip-git-repo-check><--color><never><--><Q>", "", ""},
		{"an agent with another's sandbox", "provider: claude-code, executable: ./agent, sandbox_mode: read-only", "", "its `sandbox_mode` has no effect: `claude` has no option for it", ""},
		{"claude", "provider: claude-code, command: ./agent, model: '${{ GREETING }}', max_turns: 3, maxBudgetUsd: 0.5, args: --verbose", "<--print><--output-format><stream-json><--verbose><--model><hello><--max-turns><3><--max-budget-usd><0.5><--verbose><--><Q>", "", ""},
		{"copilot", "provider: copilot-cli, executable: '../evals/agent', systemPrompt: \"it's -a\"", "<--output-format><json><--no-color><--prompt=it's -a\n\nQ>", "", ""},
		{"pi", "provider: pi, executable: ./agent, pi_provider: openai, model: m, thinking: low, tools: 'read,grep'", "<--print><--mode><json><--no-session><--provider><openai><--model><m><--tools><read,grep><--thinking><low>< Q>", "", ""},
		{"pi with a list of tools", "provider: pi, executable: ./agent, tools: [read, grep]", "<--print><--mode><json><--no-session><--tools><read,grep>< Q>", "", ""},
		{"an agent that is told of placeholders", "provider: claude-code, executable: ./agent, args: ['{EVAL_ID}'], system_prompt: 'Answer {PROMPT}; as {JSON}'", "<--print><--output-format><stream-json><--verbose><{EVAL_ID}><--><Answer {PROMPT}; as {JSON}\n\nQ>", "", ""},
		{"an agent elsewhere", "provider: claude-code, executable: ./agent, cwd: sub", "", "", "could not be reached: the folder `"},
		{"an agent that is not there", "provider: codex, executable: no-such-agent", "", "", "`no-such-agent` could not be reached"},
		{"an agent that is slow", "provider: claude-code, executable: ./agent, args: [hang], timeout_seconds: 0.1", "", "", "`./agent`: timed out after 100ms"},
		{"an agent with a key for an unknown provider", "provider: pi-coding-agent, subprovider: mine, api_key: secret-1", "", "no variable is known for its `api_key`", ""},
		{"an agent with another's limit", "provider: codex, executable: ./agent, max_budget_usd: 1", "", "its `max_budget_usd` has no effect: `codex` has no option for it", ""},
		{"an agent with no tools", "provider: pi, executable: ./agent, tools: []", "", "its `tools` is empty", ""},
		{"an agent with pairs", "provider: codex, executable: ./agent, args: { sandbox: read-only }", "", "its `args` is neither a text nor a list", ""},
		{"an agent with no time", "provider: codex, executable: ./agent, timeout_seconds: soon", "", "its `timeout_seconds` is not a number of at least 0", ""},
		{"an agent with a workspace", "provider: codex, workspace_template: w", "", "its `workspace_template` is not supported; name a folder as `cwd`", ""},
		{"an agent whose model is not set", "provider: codex, executable: ./agent, model: '{{ env.NOT_SET_A }}'", "<--json><--skip-git-repo-check><--color><never><--><Q>", "", ""},
		{"an agent in an editor", "provider: vscode", "", "the provider `vscode` is not supported: its agent works in a window", ""},
		{"what is not built in", "provider: bedrock", "", "the provider `bedrock` is not built in; there are `cli`, `mock`, `replay`, `openai`, ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			hosttest.Put(t, filepath.Join(dir, "evals/beside.txt"), "beside\n")
			hosttest.Put(t, filepath.Join(dir, ".env"), "GREETING=hello\n")
			hosttest.Put(t, filepath.Join(dir, "evals/agent"), agentProgram)
			if err := os.Chmod(filepath.Join(dir, "evals/agent"), 0o755); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "targets.yaml")
			hosttest.Put(t, file, strings.ReplaceAll("targets: [{ name: it, "+c.target+" }]\n", "SITE", site.URL))
			opened, err := (&targets.Ports{TargetsFile: file}).OpenTarget(t.Context(), filepath.Join(dir, "evals/x.yaml"), "it")
			expect(t, err, strings.ReplaceAll(c.failed, "SITE", site.URL), file+": target `it`")
			if err != nil {
				return
			}
			approved(t, file)
			sub, err := opened.Target(t.Context(), &rubric.Case{ID: "c", Question: "Q", Files: []string{"/somewhere/a b.txt"}})
			expect(t, err, c.refused, "")
			if sub.Answer != c.answer {
				t.Errorf("it answers %q, want %q", sub.Answer, c.answer)
			}
		})
	}
}

// TestBatch: a command for all cases is run once, for those that it fails as well.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	hosttest.Put(t, filepath.Join(dir, "targets.yaml"), `targets:
  - { name: well, provider: cli, provider_batching: true, command_template: 'echo {EVAL_ID} >> runs; printf "{\"id\": \"a\", \"text\": \"A\"}\n{\"id\": \"b\", \"output_messages\": [{\"role\": \"assistant\", \"content\": \"B\"}]}\n" > {OUTPUT_FILE}' }
  - { name: ill, provider: cli, provider_batching: true, command_template: 'echo {EVAL_ID} >> runs; exit 3' }
`)
	for name, want := range map[string]string{"well": "A B", "ill": " "} {
		target := targetOf(t, dir, name)
		var output []string
		for _, id := range []string{"a", "b"} {
			sub, err := target(t.Context(), &rubric.Case{ID: id, Question: "Q"})
			expect(t, err, map[string]string{"ill": "`echo` exited with status 3"}[name], "")
			output = append(output, sub.Answer)
		}
		runs, err := os.ReadFile(filepath.Join(dir, "runs"))
		if got := strings.Join(output, " "); got != want || err != nil || string(runs) != "batch\n" {
			t.Errorf("%s: %q by %q, %v", name, got, runs, err)
		}
		os.Remove(filepath.Join(dir, "runs"))
	}
}

// expect holds an error against what it has to say, "" for none. Whether it
// speaks of being reached and whether it says so to callers is the same.
func expect(t *testing.T, err error, want, start string) {
	t.Helper()
	if (err != nil) != (want != "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), start)) {
		t.Errorf("got %v, want %q", err, want)
	}
	if err != nil && strings.Contains(err.Error(), "secret") {
		t.Errorf("it tells a key: %v", err)
	}
	if errors.Is(err, judge.ErrUnreachable) != strings.Contains(want, "could not be reached") {
		t.Errorf("whether it can be reached: %v", err)
	}
}

// TestMock: one that waits for an hour ends with its run, and one with a trace tells the
// tool calls in it.
func TestMock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "targets.yaml")
	hosttest.Put(t, path, "targets:\n  - { name: slow, provider: mock, delay_ms: 3600000 }\n  - { name: between, provider: mock, delay_min_ms: 3600000, delay_max_ms: 7200000 }\n"+
		"  - { name: traced, provider: mock, response: x, trace: [{ type: model_step }, { type: tool_call, name: search, input: { q: 1 }, output: o, id: c1 }] }\n")
	ask := func(ctx context.Context, name string) (grade.Submission, error) {
		opened, err := (&targets.Ports{TargetsFile: path}).OpenTarget(t.Context(), "x.yaml", name)
		if err != nil {
			t.Fatal(err)
		}
		return opened.Target(ctx, &rubric.Case{})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"slow", "between"} {
		if _, err := ask(ctx, name); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	answer, err := ask(t.Context(), "traced")
	if want := []grade.ToolCall{{Tool: "search", Input: map[string]any{"q": 1.0}, Output: "o"}}; err != nil || answer.Answer != "x" || !reflect.DeepEqual(answer.ToolCalls, want) {
		t.Errorf("%+v, %v", answer, err)
	}
	approved(t, path)
}
