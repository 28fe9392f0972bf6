//go:build unix

package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestLSPOverTCP: the address that is printed lets in a client with its token, and a
// page that posts HTTP to it runs no command.
func TestLSPOverTCP(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(buildBinary(t), "lsp", "--tcp", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // which fails after the test has ended it
	line, err := bufio.NewReader(stderr).ReadString('\n')
	at, unreadable := url.Parse(strings.TrimSpace(line))
	if err != nil || unreadable != nil || at.Scheme != "tcp" || len(at.Query().Get("token")) < 26 {
		t.Fatalf("it prints %q", line)
	}
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	settings := fmt.Sprintf(`{"settings":{"rubric":{"judge":"cli:touch %s/judged"}}}`, dir)
	batch := `[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{},"initializationOptions":{"trusted":true}}},` +
		`{"jsonrpc":"2.0","method":"initialized","params":{}},` +
		`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":` + settings + `},` +
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:x.eval.yaml","languageId":"yaml","version":1,"text":` + fmt.Sprintf("%q", tempting) + `}}},` +
		`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"rubric.runCase","arguments":[{"uri":"untitled:x.eval.yaml","case":"a"}]}}]`
	page := dial()
	fmt.Fprintf(page, "POST /a:b HTTP/1.1\r\nHost: %s\r\nOrigin: https://evil.example\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", at.Host, len(batch), batch)
	if answer, _ := io.ReadAll(page); len(answer) > 0 { // ends when the server closes, or resets what it has not read
		t.Errorf("the page is answered %q", answer)
	}
	for i, options := range []string{`{"token":%q}`, `{"token":%q,"trusted":true}`} {
		want := i == 1
		e := lsptest.Attach(t, lsptest.Framed(dial()))
		e.Initialize(`{"workspace":{"applyEdit":true}}`, `"initializationOptions":`+fmt.Sprintf(options, at.Query().Get("token")))
		e.Notify("workspace/didChangeConfiguration", settings)
		requestEverythingRisky(t, e, "untitled:x.eval.yaml")
		if _, err := os.Stat(filepath.Join(dir, "judged")); (err == nil) != want {
			t.Errorf("with %s the judge has run: %v", options, err == nil)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
