package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
	"github.com/rubric-ls/rubric/lsp/transport"
)

const token = "a-token-of-this-test"

// overTCP serves a server over TCP until the test ends, and returns its address.
func overTCP(t *testing.T, server *lsp.Server) string {
	t.Helper()
	l, err := transport.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- (&transport.TCP{Server: server, Token: token}).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// initializeRequest returns an initialize request with initialization options.
func initializeRequest(options string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{},"initializationOptions":` + options + `}}`
}

// attackMessages returns messages with which an accepted client would run a command.
func attackMessages(options string) []string {
	return []string{
		initializeRequest(options),
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"rubric":{"judge":"cli:touch x","target":"self"}}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + doc + `","languageId":"yaml","version":1,"text":` + quoted(gradedSuite) + `}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"rubric.runFile","arguments":[{"uri":"` + doc + `"}]}}`,
	}
}

func inFrame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// TestTCP serves several clients with their own documents, and ends them all.
func TestTCP(t *testing.T) {
	addr := overTCP(t, newServer(nil))
	enter := func() *lsptest.Editor {
		e := lsptest.Attach(t, lsptest.Framed(dial(t, addr)))
		e.Initialize("{}", `"initializationOptions":{"token":"`+token+`"}`)
		return e
	}
	first, second := enter(), enter()
	first.Open(doc, hasOne)
	first.AwaitDiagnostics(doc, 1)
	second.Change(doc, 2, lsptest.FullChange("x")) // of a document that it has not opened
	second.Notify("exit", nil)
	second.AwaitClose()
	first.Change(doc, 2, lsptest.TextChange(2, 13, 19, "outcome"))
	if found := first.AwaitDiagnostics(doc, 2); len(found) != 0 {
		t.Errorf("%v", found)
	}
	enter().HangUp() // without shutdown
}

// TestTCPRefused checks that a connection without the token is closed and runs nothing. It gets a
// response only where an editor would show it. Web pages can send HTTP with any body to the port.
func TestTCPRefused(t *testing.T) {
	batch := "[" + strings.Join(attackMessages(`{"trusted":true}`), ",") + "]"
	post := func(line, headers, body string) string {
		return fmt.Sprintf("%s\r\nHost: 127.0.0.1\r\n%sContent-Length: %d\r\n\r\n%s", line, headers, len(body), body)
	}
	rest := ""
	for _, m := range attackMessages(`{}`)[1:] {
		rest += inFrame(m)
	}
	const wrong = "the token is missing or wrong"
	for name, c := range map[string]struct{ sent, answer string }{
		"a page's batch":                     {post("POST /a:b HTTP/1.1", "Origin: https://evil.example\r\nContent-Type: text/plain\r\n", batch), ""},
		"a page's batch with the token":      {post("POST /a:b HTTP/1.1", "Origin: https://evil.example\r\n", "["+initializeRequest(`{"token":"`+token+`"}`)+"]"), ""},
		"a page of no origin":                {post("POST /a:b HTTP/1.1", "Origin: null\r\n", batch), ""},
		"a page of this address":             {post("POST /a:b HTTP/1.1", "Origin: http://127.0.0.1\r\n", batch), ""},
		"a page's single message":            {post("POST /a:b HTTP/1.1", "", initializeRequest(`{"token":"`+token+`"}`)), ""},
		"a path like a header":               {post("POST /Content-Length: 5 HTTP/1.1", "", batch), ""},
		"a path without a colon":             {post("POST / HTTP/1.1", "", batch), ""},
		"a preflight":                        {"OPTIONS /a:b HTTP/1.1\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n", ""},
		"an upgrade":                         {"GET /a:b HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", ""},
		"TLS":                                {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", ""},
		"a batch in a frame":                 {inFrame("[" + initializeRequest(`{"token":"`+token+`"}`) + "]"), ""},
		"an HTTP header in a frame":          {"Origin: null\r\n" + inFrame(initializeRequest(`{"token":"`+token+`"}`)), ""},
		"no token":                           {inFrame(initializeRequest(`{"trusted":true}`)), wrong},
		"no options":                         {inFrame(initializeRequest(`null`)), wrong},
		"options that are no object":         {inFrame(initializeRequest(`["` + token + `"]`)), wrong},
		"an empty token":                     {inFrame(initializeRequest(`{"token":"","trusted":true}`)), wrong},
		"a token that is no text":            {inFrame(initializeRequest(`{"token":true,"trusted":true}`)), wrong},
		"a shorter token":                    {inFrame(initializeRequest(`{"token":"` + token[1:] + `","trusted":true}`)), wrong},
		"a longer token":                     {inFrame(initializeRequest(`{"token":"` + token + `a","trusted":true}`)), wrong},
		"a token in capitals":                {inFrame(initializeRequest(`{"token":"` + strings.ToUpper(token) + `","trusted":true}`)), wrong},
		"another message first":              {inFrame(`{"jsonrpc":"2.0","id":0,"method":"shutdown"}`) + inFrame(initializeRequest(`{"token":"`+token+`"}`)), ""},
		"initialize as a notification":       {inFrame(strings.Replace(initializeRequest(`{"token":"`+token+`"}`), `"id":1,`, "", 1)), ""},
		"a first message of over a mebibyte": {fmt.Sprintf("Content-Length: %d\r\n\r\n", 1<<20+1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			server := newServer(nil)
			server.Host = countingHost(&asked)
			conn := dial(t, overTCP(t, server))
			go io.WriteString(conn, c.sent) // the server may not read it all
			answer, _ := io.ReadAll(conn)   // ends when the server closes the connection, or resets it
			_, _ = io.WriteString(conn, rest)
			if !strings.Contains(string(answer), c.answer) || c.answer == "" && len(answer) > 0 || strings.Contains(string(answer), "capabilities") {
				t.Errorf("answered %q", answer)
			}
			if asked.Load() > 0 {
				t.Error("the host was asked")
			}
		})
	}
}

// transports start a session each.
var transports = map[string]func(*testing.T, *lsp.Server) *lsptest.Editor{
	"stdio": func(t *testing.T, s *lsp.Server) *lsptest.Editor { return lsptest.Start(t, s) },
	"TCP": func(t *testing.T, s *lsp.Server) *lsptest.Editor {
		return lsptest.Attach(t, lsptest.Framed(dial(t, overTCP(t, s))))
	},
	"WebSocket": overSocket,
}

// TestTrustByTransport checks that a client over a socket is untrusted unless it says otherwise,
// and one that started the server is trusted unless it says otherwise.
func TestTrustByTransport(t *testing.T) {
	for _, c := range []struct {
		options string
		trusted string // the transports of such a client
	}{
		{`{"token":"` + token + `"}`, "stdio"},
		{`{"token":"` + token + `","trusted":null}`, "stdio"},
		{`{"token":"` + token + `","trusted":false}`, ""},
		{`{"token":"` + token + `","trusted":true}`, "stdio TCP WebSocket"},
	} {
		for way, begin := range transports {
			var asked atomic.Int32
			server := newServer(nil)
			server.Host = countingHost(&asked)
			e := begin(t, server)
			e.Initialize(allCapabilities, `"initializationOptions":`+c.options)
			e.Notify("workspace/didChangeConfiguration", `{"settings":{"rubric":{"judge":"cli:judge"}}}`)
			e.Open(doc, gradedSuite)
			raw, refusal := command(e, "rubric.runFile", "")
			if refusal == nil {
				var answer struct{ Job string }
				if err := json.Unmarshal(raw, &answer); err != nil {
					t.Fatal(err)
				}
				awaitJob(t, e, answer.Job)
			}
			if want := strings.Contains(c.trusted, way); (refusal == nil) != want || (asked.Load() > 0) != want {
				t.Errorf("%s over %s: %v, the host was asked %d times", c.options, way, refusal, asked.Load())
			}
		}
	}
	e := lsptest.Start(t, newServer(nil))
	e.Initialize(allCapabilities, `"initializationOptions":{"trusted":"false"}`)
	if raw, _ := command(e, "rubric.dryRun", ""); strings.Contains(string(raw), `"trusted":true`) {
		t.Errorf("options that cannot be read are trusted: %s", raw)
	}
}

// expiredListener is a listener whose connections pass every deadline at once.
type expiredListener struct{ net.Listener }

func (l expiredListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return expiredConn{conn}, err
}

type expiredConn struct{ net.Conn }

func (c expiredConn) SetDeadline(at time.Time) error {
	if !at.IsZero() {
		at = time.Unix(1, 0)
	}
	return c.Conn.SetDeadline(at)
}

// TestTCPSlow checks that a silent or slow connection is closed at its deadline, and that an
// accepted client has none.
func TestTCPSlow(t *testing.T) {
	l, err := transport.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- (&transport.TCP{Server: newServer(nil), Token: token}).Serve(ctx, expiredListener{l}) }()
	for _, sent := range []string{"", "Content-Le", "Content-Length: 100\r\n\r\n{"} {
		conn := dial(t, l.Addr().String())
		fmt.Fprint(conn, sent)
		if answer, _ := io.ReadAll(conn); len(answer) > 0 { // ends when the server closes the connection
			t.Errorf("%q is answered %q", sent, answer)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestTCPCrowd checks that silent connections do not block others.
func TestTCPCrowd(t *testing.T) {
	addr := overTCP(t, newServer(nil))
	for range 200 {
		fmt.Fprint(dial(t, addr), "Content-Le")
	}
	e := lsptest.Attach(t, lsptest.Framed(dial(t, addr)))
	e.Initialize("{}", `"initializationOptions":{"token":"`+token+`"}`)
	e.Open(doc, hasOne)
	e.AwaitDiagnostics(doc, 1)
}

// TestListen checks that only loopback addresses are accepted by default.
func TestListen(t *testing.T) {
	for _, c := range []struct {
		addr   string
		remote bool
		want   string // a prefix of the address, or a part of the error
	}{
		{"127.0.0.1:0", false, "127.0.0.1:"},
		{"localhost:0", false, "127.0.0.1:"},
		{":0", false, "127.0.0.1:"},
		{"0.0.0.0:0", false, "can be reached from other machines"},
		{"0.0.0.0:0", true, "[::]:"},
		{"7777", false, "is not an address"},
		{"127.0.0.1:no", false, "listen on `127.0.0.1:no`"},
	} {
		l, err := transport.Listen(c.addr, c.remote)
		got := fmt.Sprint(err)
		if err == nil {
			got = l.Addr().String()
			l.Close()
		}
		if !strings.Contains(got, c.want) && !(c.remote && err == nil) {
			t.Errorf("%s gives %s", c.addr, got)
		}
	}
}

// TestNothingStays counts goroutines before and after sessions that ended in every way.
func TestNothingStays(t *testing.T) {
	before := runtime.NumGoroutine()
	for i := range 12 {
		ours, theirs := net.Pipe()
		ended := make(chan int, 1)
		go func() { ended <- newServer(newFolder(nil)).Serve(theirs) }()
		t.Run("session", func(t *testing.T) {
			e := lsptest.Attach(t, lsptest.Framed(ours))
			e.Silence()
			e.Initialize(`{"workspace":{"configuration":true,"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
			e.Open(doc, hasOne)
			e.StartRequest("workspace/diagnostic", `{"previousResultIds":[]}`)
			switch i % 3 {
			case 0:
				e.Notify("exit", nil)
			case 1:
				e.HangUp()
			default:
				e.Request("shutdown", nil)
				e.Notify("exit", nil)
			}
			<-ended
		})
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestRemote checks that a remote client sees no file of this machine.
func TestRemote(t *testing.T) {
	server := newServer(newFolder(map[string]string{"/evals/b.eval.yaml": hasOne, "/evals/there.md": "x"}))
	server.Remote = true
	e := lsptest.Start(t, server)
	e.Initialize(`{"textDocument":{"diagnostic":{}}}`, `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open(doc, hasOne)
	got := requestIn(e, "workspace/diagnostic", `{"previousResultIds":[]}`)
	if strings.Contains(got, "b.eval.yaml") || !strings.Contains(got, "a.eval.yaml") {
		t.Errorf("%s", got)
	}
}
