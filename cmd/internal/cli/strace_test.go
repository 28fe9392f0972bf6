//go:build linux

package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// hostileFolder are files that name programs, servers and files elsewhere in every way
// that the formats have.
var hostileFolder = map[string]string{
	"h.eval.yaml": `# yaml-language-server: $schema=http://127.0.0.1:9/schema.json
execution:
  target: evil
  evaluators:
    - { name: suite, type: code_judge, script: [sh, -c, "touch pwned"] }
evalcases:
  - id: a
    expected_outcome: Greets
    input:
      - role: user
        content:
          - { type: file, value: notes.md }
          - { type: file, value: "http://127.0.0.1:9/notes.md" }
    expected_output: Hello
    rubrics: [Mentions “Hello”]
    evaluators:
      - { name: program, type: code_judge, script: [./evil.sh] }
      - { name: line, type: code_judge, script: "touch pwned" }
      - { name: module, type: code_judge, script: [./evil.wasm] }
      - { name: prompt, type: llm_judge, prompt: ./evil.md }
`,
	"t.eval.yaml":          "# yaml-language-server: $schema=file:///etc/passwd\nprompts: [\"file://evil.md\", \"exec:touch pwned\"]\nproviders: [\"exec:touch pwned\"]\ntests: file://tests.sh\n",
	"s.evalset.json":       `{"eval_set_id":"s","eval_cases":[{"eval_id":"a","conversation":[{"user_content":{"parts":[{"file_data":{"file_uri":"http://127.0.0.1:9/x"}}]}}]}]}`,
	"test_config.json":     `{"criteria":{"custom":1},"custom_metrics":{"custom":{"code_config":{"name":"os.system"}}}}`,
	".agentv/targets.yaml": "targets:\n  - name: evil\n    provider: cli\n    command_template: touch pwned\n    healthcheck: { type: http, url: \"http://127.0.0.1:9/\" }\n  - { name: remote, provider: openai, base_url: \"http://127.0.0.1:9/\", api_key: \"${{ KEY }}\" }\n",
	".rubric.yaml":         "prices: { \"openai:x\": { input: 1, output: 1 } }\n",
	".env":                 "KEY=$(touch pwned)\nLD_PRELOAD=./evil.so\n",
	"evil.sh":              "#!/bin/sh\ntouch pwned\n",
	"evil.md":              "{{ question }} {{ candidate_answer }} $(touch pwned)\n",
	"tests.sh":             "#!/bin/sh\ntouch pwned\n",
	"notes.md":             "Notes.\n",
}

// traceSyscalls runs the language server under strace while use talks to it, and returns
// the system calls by which something can be started, reached or changed.
func traceSyscalls(t *testing.T, dir string, use func(*lsptest.Editor)) (acts []string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("strace", "-f", "-qq", "-e", "trace=execve,execveat,fork,vfork,socket,connect,bind,sendto,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmodat", "-o", out, buildBinary(t), "lsp")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	use(lsptest.Attach(t, lsptest.Framed(struct {
		io.Reader
		io.WriteCloser
	}{answers, in})))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	trace, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	reads := regexp.MustCompile(`open(at)?\(.*O_RDONLY`)
	if !regexp.MustCompile(`openat\(.*targets\.yaml`).Match(trace) {
		t.Errorf("the trace does not show what the server reads:\n%s", trace)
	}
	for line := range strings.Lines(string(trace)) {
		resumed := strings.Contains(line, "resumed>") || strings.Contains(line, "+++") || strings.Contains(line, "---")
		if !resumed && (!reads.MatchString(line) || strings.Contains(line, "O_CREAT")) {
			acts = append(acts, line)
		}
	}
	return acts[1:] // the first starts the server
}

// everyRequest opens the files of a folder and asks all that an editor asks, on every
// line.
func everyRequest(t *testing.T, e *lsptest.Editor, dir string) {
	t.Helper()
	e.Initialize(`{"textDocument":{"diagnostic":{},"codeAction":{"dataSupport":true,"resolveSupport":{"properties":["edit"]},"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix","refactor"]}}}}}`,
		fmt.Sprintf(`"workspaceFolders":[{"uri":"file://%s","name":"w"}]`, dir))
	for name, body := range hostileFolder {
		uri := "file://" + dir + "/" + name
		e.Open(uri, body)
		for line := range strings.Count(body, "\n") + 1 {
			at := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":12},"positions":[{"line":%d,"character":12}],"context":{"includeDeclaration":true},"newName":"x","ch":"\n","options":{"tabSize":2,"insertSpaces":true}}`, uri, line, line)
			for _, method := range []string{"hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename", "selectionRange", "linkedEditingRange", "onTypeFormatting"} {
				e.AwaitResponse(e.StartRequest("textDocument/"+method, at))
			}
		}
		whole := fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}},"context":{"diagnostics":[]},"options":{"tabSize":2,"insertSpaces":true},"previousResultId":"x"}`, uri)
		for _, method := range []string{"documentSymbol", "codeLens", "documentLink", "inlayHint", "codeAction", "foldingRange", "semanticTokens/full", "semanticTokens/full/delta", "semanticTokens/range", "formatting", "rangeFormatting", "diagnostic"} {
			e.AwaitResponse(e.StartRequest("textDocument/"+method, whole))
		}
		for _, method := range []string{"rubric/testItems", "rubric/report", "rubric/records"} {
			e.AwaitResponse(e.StartRequest(method, fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)))
		}
		e.AwaitResponse(e.StartRequest("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.dryRun","arguments":[{"uri":%q}]}`, uri)))
	}
	e.Request("workspace/symbol", `{"query":""}`)
	e.Request("workspace/diagnostic", `{"previousResultIds":[]}`)
}

// TestOpeningRunsNothing: whatever a folder's files name, opening them and asking
// everything on every line starts no process, opens no connection and writes no file.
// The same trace shows the process that a run starts.
func TestOpeningRunsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if testing.Short() {
		t.Skip("it builds the program")
	}
	if exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("strace is not installed, or may not trace")
	}
	dir := write(t, hostileFolder)
	leave := func(e *lsptest.Editor) {
		e.Request("shutdown", nil)
		e.Notify("exit", nil)
		e.AwaitClose()
	}
	if acts := traceSyscalls(t, dir, func(e *lsptest.Editor) { everyRequest(t, e, dir); leave(e) }); len(acts) > 0 {
		t.Errorf("the server did\n%s", strings.Join(acts, ""))
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a program of the folder has run")
	}
	acts := traceSyscalls(t, dir, func(e *lsptest.Editor) {
		e.Initialize("{}")
		uri := "file://" + dir + "/h.eval.yaml"
		e.Open(uri, hostileFolder["h.eval.yaml"])
		e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"target":"self","judge":"cli:touch pwned"}}}`)
		e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.runCase","arguments":[{"uri":%q,"case":"a"}]}`, uri))
		e.Await("the end of the run", func(m lsptest.Message) bool {
			return m.Method == "rubric/results" && !strings.Contains(string(m.Params), `"state":"running"`)
		})
		leave(e)
	})
	if !strings.Contains(strings.Join(acts, ""), "execve(") {
		t.Errorf("a run that starts a judge is not seen: %s", acts)
	}
}
