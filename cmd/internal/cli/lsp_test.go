package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
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
		{"x", "lsp: takes no arguments, and was given `x`"},
		{"--tcp 127.0.0.1:0 --websocket 127.0.0.1:0", "give --tcp or --websocket, not both"},
		{"--tcp 7777", "`7777` is not an address"},
		{"--tcp 127.0.0.1:0 --token fifteen-letters", "--token is too short to keep others out"},
		{"--websocket 127.0.0.1:0 --token x", "--token is too short to keep others out"},
		{"--token sixteen--letters", "--remote and --token are for --tcp and --websocket"},
		{"--tcp 127.0.0.1:0 --origin http://localhost", "--origin is for --websocket"},
		{"--remote", "--remote and --token are for --tcp and --websocket"},
		{"--websocket 0.0.0.0:0", "`0.0.0.0:0` can be reached from other machines; --remote lets them connect"},
	} {
		var out, errs bytes.Buffer
		status := cli.Main(append([]string{"lsp"}, strings.Fields(c.args)...), strings.NewReader(""), &out, &errs)
		if status != 2 || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%s: exit status %d, %s", c.args, status, errs.String())
		}
	}
}
