package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// frameMessages are messages as an editor writes them.
func frameMessages(messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.String()
}

// TestLSP speaks the protocol over standard input and output, with its exit
// statuses.
func TestLSP(t *testing.T) {
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`
	const open = `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.eval.yaml","languageId":"yaml","version":1,"text":"evalcases:\n  - id: a\n    expected_outcme: b\n    input: c\n"}}}`
	for _, c := range []struct {
		name, sent string
		status     int
		contains   []string // all in the answers
	}{
		{"a whole session", frameMessages(initialize, open, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`), 0,
			[]string{`"serverInfo":{"name":"rubric"`, `"code":"unknown-key"`, `"id":2,"result":null`}},
		{"an editor that died", frameMessages(initialize), 1, []string{`"capabilities"`}},
		{"an exit without shutdown", frameMessages(initialize, `{"jsonrpc":"2.0","method":"exit"}`), 1, []string{`"capabilities"`}},
		{"rubbish", "rubbish\r\n\r\n", 1, nil},
		{"nothing", "", 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if status := cli.Main([]string{"lsp", "--stdio"}, strings.NewReader(c.sent), &out, &errs); status != c.status {
				t.Errorf("exit status %d: %s", status, errs.String())
			}
			for _, want := range c.contains {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %s in %s", want, out.String())
				}
			}
		})
	}
}

// TestLSPMisused says what is wrong with the call.
func TestLSPMisused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"x", "lsp: takes no arguments, but got `x`"},
		{"--tcp 127.0.0.1:0 --websocket 127.0.0.1:0", "give --tcp or --websocket, not both"},
		{"--tcp 7777", "`7777` is not an address"},
		{"--tcp 127.0.0.1:0 --token fifteen-letters", "--token is too short"},
		{"--websocket 127.0.0.1:0 --token x", "--token is too short"},
		{"--token sixteen--letters", "--remote and --token need --tcp or --websocket"},
		{"--tcp 127.0.0.1:0 --origin http://localhost", "--origin needs --websocket"},
		{"--websocket 127.0.0.1:0 --origin http://localhost:3000/", "`http://localhost:3000/` is no origin; write it like `http://localhost:3000`"},
		{"--websocket 127.0.0.1:0 --origin localhost:3000", "`localhost:3000` is no origin"},
		{"--remote", "--remote and --token need --tcp or --websocket"},
		{"--websocket 0.0.0.0:0", "`0.0.0.0:0` can be reached from other machines; --remote allows them"},
	} {
		var out, errs bytes.Buffer
		status := cli.Main(append([]string{"lsp"}, strings.Fields(c.args)...), strings.NewReader(""), &out, &errs)
		if status != 2 || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%s: exit status %d, %s", c.args, status, errs.String())
		}
	}
}

// TestKeyOfTheEditor: the key that an editor keeps goes to the provider, before
// the environment's, and is in no message to the editor.
func TestKeyOfTheEditor(t *testing.T) {
	sent := make(chan string, 9)
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"the key %s is wrong"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	defer provider.Close()
	t.Setenv("OPENAI_BASE_URL", provider.URL)
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	dir := write(t, map[string]string{"a.eval.yaml": tempting})
	uri := "file://" + filepath.ToSlash(filepath.Join(dir, "a.eval.yaml"))

	e := startEditor(t, `{"experimental":{"rubric":{"keys":true}}}`)
	e.Handle("rubric/key", func(json.RawMessage) any { return map[string]string{"key": "sk-of-the-editor"} })
	e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"openai:gpt-x"}}}`)
	e.Open(uri, tempting)
	e.Request("workspace/executeCommand", fmt.Sprintf(`{"command":"rubric.runCase","arguments":[{"uri":%q,"case":"a"}]}`, uri))
	named := false
	e.Await("the end", func(m lsptest.Message) bool {
		if m.Method == "rubric/results" && strings.Contains(string(m.Params), "sk-of-the-editor") {
			t.Errorf("the key is told: %s", m.Params)
		}
		named = named || strings.Contains(string(m.Params), "the key stored as `OPENAI_API_KEY` was not accepted")
		return m.Method == "rubric/results" && !strings.Contains(string(m.Params), `"state":"running"`)
	})
	if !named {
		t.Error("it is not said which key was not accepted")
	}
	if got := <-sent; got != "Bearer sk-of-the-editor" {
		t.Errorf("the provider was sent %q", got)
	}
	e.Request("shutdown", nil)
}
