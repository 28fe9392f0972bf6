package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// dialer is the environment variable that makes the test's own program one that
// opens a connection to the address in it, and nothing else.
const dialer = "RUBRIC_TEST_DIAL"

func TestMain(m *testing.M) {
	if addr := os.Getenv(dialer); addr != "" {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			fmt.Fprint(conn, "here")
			conn.Close()
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// pipes are the command line's standard input and output as its client has them.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// editor is an editor that has started `rubric lsp`.
func editor(t *testing.T, capabilities string, more ...string) *lsptest.Editor {
	t.Helper()
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

// TestTrust watches for programs that are started and connections that are
// opened: in a workspace that is not trusted there is neither, whatever its files
// and settings ask for; in one that is, the same requests lead to both.
func TestTrust(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	watch, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	connected := make(chan bool, 99)
	go func() {
		for {
			conn, err := watch.Accept()
			if err != nil {
				close(connected)
				return
			}
			conn.Close()
			connected <- true
		}
	}()
	dir := write(t, map[string]string{"a.eval.yaml": `evalcases:
  - id: a
    expected_outcome: Greets
    input: Hello
    expected_output: Good morning
    rubrics: [Says good morning]
    evaluators: [{ name: program, type: code_judge, script: [touch, graded] }]
  - id: b
    expected_outcome: Greets
    input: Hello
`})
	body, err := os.ReadFile(filepath.Join(dir, "a.eval.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	uri := "file://" + filepath.ToSlash(filepath.Join(dir, "a.eval.yaml"))
	traces := func() (found []string) {
		for _, name := range []string{"judged", "answered", "graded"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				found = append(found, name)
			}
		}
		return found
	}
	script := func(trusted bool) {
		e := editor(t, `{"workspace":{"applyEdit":true}}`, fmt.Sprintf(`"initializationOptions":{"trusted":%v}`, trusted))
		e.Serve("workspace/applyEdit", func(json.RawMessage) any { return `{"applied":false}` })
		judge := fmt.Sprintf("touch %s/judged; %s=%s %s", dir, dialer, watch.Addr(), exe)
		settings, _ := json.Marshal(map[string]any{"settings": map[string]any{"rubric": map[string]any{
			"judge": "cli:" + judge, "target": "cli:touch " + dir + "/answered; echo {PROMPT}", "allowExec": true,
		}}})
		e.Notify("workspace/didChangeConfiguration", string(settings))
		e.Open(uri, string(body))
		for _, c := range []string{"rubric.runFile", "rubric.runCase", "rubric.rejudge", "rubric.dryRun", "rubric.generateRubrics"} {
			id := "a"
			if c == "rubric.generateRubrics" {
				id = "b"
			}
			raw, _ := e.Answer(e.Ask("workspace/executeCommand", fmt.Sprintf(`{"command":%q,"arguments":[{"uri":%q,"case":%q}]}`, c, uri, id)))
			var answer struct{ Job string }
			if json.Unmarshal(raw, &answer) == nil && answer.Job != "" && c != "rubric.generateRubrics" {
				e.Await("the end of "+c, func(m lsptest.Message) bool {
					return m.Method == "rubric/results" && strings.Contains(string(m.Params), answer.Job) && strings.Contains(string(m.Params), `"state":"done"`)
				})
			}
		}
		for _, ask := range []string{"textDocument/hover", "textDocument/completion"} {
			e.Request(ask, fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":1,"character":9}}`, uri))
		}
		for _, ask := range []string{"textDocument/codeLens", "textDocument/documentSymbol"} {
			if got := e.Request(ask, fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)); len(got) < 10 {
				t.Errorf("%s: %s", ask, got)
			}
		}
		e.Request("shutdown", nil) // which waits for what runs
	}
	script(false)
	if found := traces(); found != nil || len(connected) > 0 {
		t.Errorf("in a workspace that is not trusted: programs have %v, %d connections", found, len(connected))
	}
	script(true)
	if found := traces(); len(found) != 3 {
		t.Errorf("in a trusted one: programs have only %v", found)
	}
	if !<-connected {
		t.Error("in a trusted one no connection was opened")
	}
}
