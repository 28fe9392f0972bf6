package lsp_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestMalformed sends invalid messages. A request gets an error, a notification is ignored, and
// only a broken frame ends the session.
func TestMalformed(t *testing.T) {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	const ends = 1 // instead of an error code: the session has ended
	for _, c := range []struct {
		name string
		sent string
		code int // of an answer, 0 for none
	}{
		{"a length that is no number", "Content-Length: x\r\n\r\n", ends},
		{"a negative length", "Content-Length: -5\r\n\r\n", ends},
		{"a length of zero", "Content-Length: 0\r\n\r\n", ends},
		{"a length over any integer", "Content-Length: 99999999999999999999\r\n\r\n", ends},
		{"a length of 4 GiB", "Content-Length: 4294967295\r\n\r\n", ends},
		{"a length of 1 GiB and ten bytes", "Content-Length: 1073741823\r\n\r\n0123456789", ends},
		{"no length", "Content-Type: x\r\n\r\n", ends},
		{"a header without a colon", "rubbish\r\n\r\n", ends},
		{"a header without end", strings.Repeat("x", 20_000), ends},
		{"HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", ends},
		{"HTTP with a colon in its path", "POST /a:b HTTP/1.1\r\n" + frame(`{"jsonrpc":"2.0","id":7,"method":"no"}`), ends},
		{"a header that is not the protocol's", "Origin: null\r\n" + frame(`{"jsonrpc":"2.0","id":7,"method":"no"}`), ends},

		{"bare line feeds", "Content-Length: 40\n\n" + `{"jsonrpc":"2.0","method":"$/x","id":7}` + " ", -32601},
		{"a header in lower case", "content-length:39\r\n\r\n" + `{"jsonrpc":"2.0","method":"$/x","id":7}`, -32601},
		{"another header", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + frame(`{"jsonrpc":"2.0","method":"no","id":7}`), -32601},
		{"no JSON", frame(`{"jsonrpc":"2.0",`), -32700},
		{"null", frame(`null`), -32700},
		{"a number", frame(`12`), -32700},
		{"an empty object", frame(`{}`), -32600},
		{"no version", frame(`{"id":7,"method":"shutdown"}`), -32600},
		{"a method that is a number", frame(`{"jsonrpc":"2.0","id":7,"method":12}`), -32600},
		{"an id that is an object", frame(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`), -32600},
		{"junk after the message", frame(`{"jsonrpc":"2.0","id":7,"method":"no"} junk`), -32700},
		{"an empty batch", frame(`[]`), -32600},
		{"a batch that is no JSON", frame(`[1,`), -32600},
		{"a batch", frame(`[{"jsonrpc":"2.0","id":7,"method":"shutdown"},{"jsonrpc":"2.0","method":"exit"}]`), -32600},
		{"missing parameters", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction"}`), -32602},
		{"parameters of the wrong type", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":{"textDocument":5}}`), -32602},
		{"parameters in a list", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":[1]}`), -32602},
		{"parameters 100,000 deep", frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/codeAction","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`), -32602},
		{"an unknown request", frame(`{"jsonrpc":"2.0","id":7,"method":"no/such"}`), -32601},
		{"a notification as a request", frame(`{"jsonrpc":"2.0","id":7,"method":"initialized","params":{}}`), -32601},

		{"a notification without parameters", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange"}`), 0},
		{"a notification with wrong ones", frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":[]}}`), 0},
		{"an unknown notification", frame(`{"jsonrpc":"2.0","method":"no/such","params":{}}`), 0},
		{"a request as a notification", frame(`{"jsonrpc":"2.0","method":"shutdown"}`), 0},
		{"a change of what is not open", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///no","version":2},"contentChanges":[{"text":"x"}]}}`), 0},
		{"a malformed cancel", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}`), 0},
		{"a cancel of nothing", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`), 0},
		{"a stray answer", frame(`{"jsonrpc":"2.0","id":99,"result":null}`), 0},
		{"a stray error", frame(`{"jsonrpc":"2.0","id":"z","error":{"code":1,"message":"x"}}`), 0},
		{"text that is not UTF-8", frame("{\"jsonrpc\":\"2.0\",\"method\":\"$/x\",\"params\":{\"a\":\"\xff\xfe\"}}"), 0},
		{"a line far away", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"` + doc + `","version":2},"contentChanges":[{"range":{"start":{"line":4294967295,"character":4294967295},"end":{"line":4294967295,"character":0}},"text":"\n"}]}}`), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			status := make(chan int, 1)
			go func() { status <- newServer(nil).Serve(theirs) }()
			e := lsptest.Attach(t, lsptest.Framed(ours))
			e.Initialize("{}")
			e.Open(doc, hasOne)
			go io.WriteString(ours, c.sent) // the session may not read it all
			switch {
			case c.code == ends:
				select {
				case s := <-status:
					if s != 1 {
						t.Errorf("exit status %d", s)
					}
				case <-time.After(10 * time.Second):
					t.Error("the session goes on")
				}
				return
			case c.code != 0:
				e.Await("an error", func(m lsptest.Message) bool { return m.Error != nil && m.Error.Code == c.code })
			}
			e.Open(doc, hasOne) // the session goes on with its documents
			e.Request("shutdown", nil)
		})
	}
}

// TestUnread writes a whole session before it reads the first response, over an unbuffered pipe.
func TestUnread(t *testing.T) {
	ours, theirs := net.Pipe()
	go newServer(nil).Serve(theirs)
	wire := lsptest.Framed(ours)
	defer wire.Close()
	write := func(body string) {
		if err := wire.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`)
	if _, err := wire.Read(); err != nil { // before that, nothing else may arrive
		t.Fatal(err)
	}
	const n = 300
	write(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + doc + `","languageId":"yaml","version":1,"text":` + quoted(hasOne) + `}}}`)
	for i := range n {
		write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"%s","version":%d},"contentChanges":[%s]}}`, doc, i+2, lsptest.TextChange(0, 0, 0, "#\n")))
		write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"%s"}}}`, 2*i+10, doc))
		write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"no/such"}`, 2*i+11))
	}
	for answers := 0; answers < 2*n; {
		body, err := wire.Read()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), `"method"`) {
			answers++
		}
	}
}
