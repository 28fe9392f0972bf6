package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
	"github.com/rubric-ls/rubric/cmd/internal/host/wasi/wasitest"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// dialer is the environment variable that makes the test's own program one that
// opens a connection to the address in it, and nothing else.
const dialer = "RUBRIC_TEST_DIAL"

// queueProgram is the environment variable that makes the test's own program rubric-queue. Its value is how long a worker may
// be silent.
const queueProgram = "RUBRIC_TEST_QUEUE"

func TestMain(m *testing.M) {
	if addr := os.Getenv(dialer); addr != "" {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			fmt.Fprint(conn, "here")
			conn.Close()
		}
		os.Exit(0)
	}
	if silence, err := time.ParseDuration(os.Getenv(queueProgram)); err == nil {
		cli.QueueClient = jetstream.Client{Silence: silence}
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	code := m.Run()
	os.RemoveAll(programFolder)
	os.Exit(code)
}

// programFolder has the program, once a test has needed it. TestMain removes it.
var programFolder string

var buildOnce = sync.OnceValues(func() (string, error) {
	var err error
	if programFolder, err = os.MkdirTemp("", "rubric-test"); err != nil {
		return "", err
	}
	binary := filepath.Join(programFolder, "rubric")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/rubric-ls/rubric/cmd/rubric").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
})

// buildBinary returns the program itself, which all tests share.
func buildBinary(t *testing.T) string {
	t.Helper()
	binary, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// pipes are the command line's standard input and output as its client has them.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// startEditor is an editor that has started `rubric lsp`.
func startEditor(t *testing.T, capabilities string, more ...string) *lsptest.Editor {
	t.Helper()
	if cache := os.Getenv("XDG_CACHE_HOME"); cache == "" || cache != os.Getenv("LocalAppData") { // results are stored
		useTempCache(t)
	}
	theirs, in := io.Pipe()
	out, ours := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Main([]string{"lsp"}, theirs, ours, io.Discard)
		ours.Close()
	}()
	e := lsptest.Attach(t, lsptest.Framed(pipes{out, in}))
	t.Cleanup(func() { in.Close(); <-ended })
	e.Initialize(capabilities, more...)
	return e
}

// listenForConnections is an address that tells of each connection that is opened to it.
func listenForConnections(t *testing.T) (addr string, connected <-chan bool) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	opened := make(chan bool, 99)
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			conn.Close()
			opened <- true
		}
	}()
	return l.Addr().String(), opened
}

// tempting is an eval file whose first case has a program for a grader, and whose
// second has no rubric yet; the program of the third is a module of WebAssembly.
const tempting = `evalcases:
  - id: a
    expected_outcome: Greets
    input: Hello
    expected_output: Good morning
    rubrics: [Says good morning]
    evaluators: [{ name: program, type: code_judge, script: [touch, graded] }]
  - id: b
    expected_outcome: Greets
    input: Hello
  - id: c
    expected_outcome: Greets
    input: Hello
    expected_output: Good morning
    evaluators: [{ name: shut in, type: code_judge, script: [./traps.wasm] }]
`

// requestEverythingRisky asks the server in an editor for all that could start or reach something,
// and for some of what cannot.
func requestEverythingRisky(t *testing.T, e *lsptest.Editor, uri string) {
	t.Helper()
	e.Open(uri, tempting)
	for _, c := range []struct{ command, id string }{
		{"runFile", "a"}, {"runCase", "a"}, {"runCase", "c"}, {"rejudge", "a"}, {"dryRun", "a"}, {"generateRubrics", "b"},
	} {
		raw, _ := e.AwaitResponse(e.StartRequest("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.%s","arguments":[{"uri":%q,"case":%q}]}`, c.command, uri, c.id)))
		var answer struct{ Job string }
		if json.Unmarshal(raw, &answer) == nil && answer.Job != "" && c.id != "b" {
			e.Await("the end of "+c.command, func(m lsptest.Message) bool {
				return m.Method == "rubric/results" && strings.Contains(string(m.Params), answer.Job) && strings.Contains(string(m.Params), `"state":"done"`)
			})
		}
	}
	for _, ask := range []string{"textDocument/hover", "textDocument/completion", "textDocument/codeLens", "textDocument/documentSymbol"} {
		if got := e.Request(ask, fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":2,"character":6}}`, uri)); len(got) < 10 {
			t.Errorf("%s: %s", ask, got)
		}
	}
	e.Request("shutdown", nil) // which waits for what runs
}

// TestTrust watches for programs that are started and connections that are
// opened: in a workspace that is not trusted there is neither, whatever its files
// and settings ask for, and no module of WebAssembly is run in its sandbox unless
// the settings say so; in one that is trusted, the same requests lead to all of it.
func TestTrust(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	addr, connected := listenForConnections(t)
	dir := write(t, map[string]string{"a.eval.yaml": tempting})
	settings, err := json.Marshal(map[string]any{"settings": map[string]any{"rubric": map[string]any{
		"judge":  fmt.Sprintf("cli:touch %s/judged; %s=%s %s", dir, dialer, addr, exe),
		"target": "cli:touch " + dir + "/answered; echo {PROMPT}", "allowExec": true, "moderation": "openai",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	traps := wasitest.Module{Functions: []wasitest.Function{{Export: "_start", Code: wasitest.Unreachable}}}
	if err := os.WriteFile(filepath.Join(dir, "traps.wasm"), traps.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	traces := func(trusted, sandboxed bool) (found []string) {
		e := startEditor(t, `{"workspace":{"applyEdit":true}}`, fmt.Sprintf(`"initializationOptions":{"trusted":%v}`, trusted))
		e.Notify("workspace/didChangeConfiguration", strings.Replace(string(settings), `"allowExec"`, fmt.Sprintf(`"sandboxedGraders":%v,"allowExec"`, sandboxed), 1))
		defer func() {
			ran := slices.ContainsFunc(e.Messages(), func(m lsptest.Message) bool {
				return m.Method == "rubric/results" && strings.Contains(string(m.Params), "crashed")
			})
			if ran {
				found = append(found, "shut in")
			}
		}()
		requestEverythingRisky(t, e, "file://"+filepath.ToSlash(filepath.Join(dir, "a.eval.yaml")))
		for _, name := range []string{"judged", "answered", "graded"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				found = append(found, name)
			}
		}
		return found
	}
	if found := traces(false, false); found != nil || len(connected) > 0 {
		t.Errorf("in a workspace that is not trusted: programs have %v, %d connections", found, len(connected))
	}
	if found := traces(false, true); !slices.Equal(found, []string{"shut in"}) || len(connected) > 0 {
		t.Errorf("where only what is shut in may run: programs have %v, %d connections", found, len(connected))
	}
	if found := traces(true, false); len(found) != 4 {
		t.Errorf("in a trusted one programs have only %v", found)
	}
	select {
	case <-connected:
	case <-time.After(time.Minute):
		t.Error("in a trusted one no connection is opened")
	}
}

// TestEditorTarget: the target of an editor's settings runs nothing that `rubric run`
// refuses, and gets no .env file of an eval file's folder.
func TestEditorTarget(t *testing.T) {
	dir := write(t, map[string]string{
		"evals/a.eval.yaml": "evalcases:\n  - id: a\n    expected_outcome: Mentions “Hello”\n    input: '; touch injected'\n    rubrics: [Mentions “Hello”]\n",
		"evals/.env":        "EXTRA=hostile\n", ".git/HEAD": "",
		".agentv/targets.yaml": "targets: [{ name: agent, provider: cli, command_template: 'echo \"[$EXTRA]\" > asked' }]\n",
	})
	uri := "file://" + filepath.ToSlash(filepath.Join(dir, "evals", "a.eval.yaml"))
	for target, want := range map[string]string{`cli:touch ran; echo '{PROMPT}'`: "`{PROMPT}` is in single quotes, where", "agent": `"state":"done"`} {
		e := startEditor(t, `{}`, `"initializationOptions":{"trusted":true}`)
		settings, err := json.Marshal(map[string]any{"settings": map[string]any{"rubric": map[string]any{"target": target}}})
		if err != nil {
			t.Fatal(err)
		}
		e.Notify("workspace/didChangeConfiguration", string(settings))
		e.Open(uri, readFile(t, filepath.Join(dir, "evals", "a.eval.yaml")))
		e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.runFile","arguments":[{"uri":%q}]}`, uri))
		e.Await("what "+target+" says", func(m lsptest.Message) bool { return strings.Contains(string(m.Params), want) })
		e.Request("shutdown", nil)
	}
	if environment := readFile(t, filepath.Join(dir, "evals", "asked")); environment != "[]\n" {
		t.Errorf("the command has %q", environment)
	}
	for _, name := range []string{"ran", "injected"} {
		if _, err := os.Stat(filepath.Join(dir, "evals", name)); err == nil {
			t.Errorf("%s: the refused command ran", name)
		}
	}
}
