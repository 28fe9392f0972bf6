package transport_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"go.lsp.dev/jsonrpc2"

	"github.com/rubric-ls/rubric/lsp/lsptest"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// recorder is a server with one session, which records what it receives.
type recorder struct {
	methods []string
	why     chan error // why the connection ended
}

// NewSession implements transport.Server.
func (r *recorder) NewSession(transport.Peer, bool) transport.Session { return r }

// Logf implements transport.Server.
func (r *recorder) Logf(string, ...any) {}

// HandleRequest answers with the parameters.
func (r *recorder) HandleRequest(_ context.Context, _ string, params []byte, release func(func())) (jsonrpc2.RawMessage, error) {
	release(func() {})
	return params, nil
}

// HandleNotification records the method.
func (r *recorder) HandleNotification(method string, _ []byte) { r.methods = append(r.methods, method) }

// HangUp records the reason.
func (r *recorder) HangUp(reason error) { r.why <- reason }

// Context never ends.
func (r *recorder) Context() context.Context { return context.Background() }

// ExitStatus waits until nothing more can be read.
func (r *recorder) ExitStatus() int {
	r.reason()
	return 0
}

// reason waits for the reason, and leaves it to others that wait.
func (r *recorder) reason() error {
	why := <-r.why
	r.why <- why
	return why
}

// Wait implements transport.Session.
func (r *recorder) Wait() {}

func newRecorder() *recorder { return &recorder{why: make(chan error, 2)} }

// fakeConn reads from one buffer and writes to another.
type fakeConn struct {
	io.Reader
	bytes.Buffer
}

func (p *fakeConn) Read(b []byte) (int, error) { return p.Reader.Read(b) }

// Close does nothing.
func (p *fakeConn) Close() error { return nil }

const message = `{"jsonrpc":"2.0","method":"x"}`

// bodies are message bodies that a server answers with an error, on every transport, before it goes on.
var bodies = map[string]string{
	`[` + message + `]`: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not part of the protocol; send each message by itself"}}`,
	`{`:                 `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`,
	`{}`:                `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is not a JSON-RPC 2.0 request"}}`,
	`null`:              `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`,
	"\xff":              `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`,
}

func inFrame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// TestBodies checks that a body that is not one message gets the same error on a stream and on a
// WebSocket, and that the session goes on.
func TestBodies(t *testing.T) {
	for body, want := range bodies {
		server, conn := newRecorder(), &fakeConn{Reader: strings.NewReader(inFrame(body) + inFrame(message))}
		transport.Serve(server, conn)
		if conn.String() != inFrame(want) || len(server.methods) != 1 {
			t.Errorf("%s on a stream: %s, then %q", body, conn.String(), server.methods)
		}
		server = newRecorder()
		socket := dial(t, server)
		for _, sent := range []string{body, message, `{"jsonrpc":"2.0","id":7,"method":"y","params":{}}`} {
			if err := socket.WriteMessage(websocket.BinaryMessage, []byte(sent)); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []string{want, `{"jsonrpc":"2.0","id":7,"result":{}}`} {
			if _, got, err := socket.ReadMessage(); err != nil || string(got) != want {
				t.Errorf("%s on a socket: %s, %v", body, got, err)
			}
		}
	}
}

// dial opens a WebSocket to a server.
func dial(t *testing.T, server transport.Server) *websocket.Conn {
	t.Helper()
	endpoint := &transport.WebSocket{Server: server, Token: "secret", Context: t.Context()}
	web := httptest.NewServer(endpoint)
	t.Cleanup(func() { endpoint.Wait(); web.Close() })
	socket, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http")+"?token=secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	return socket
}

// TestEnds checks why connections end.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		sent  string
		count int // of messages before
		end   string
	}{
		"nothing":                      {"", 0, "EOF"},
		"two messages":                 {"Content-Length: 30\r\n\r\n" + message + "content-length:30\n\n" + message, 2, "EOF"},
		"half a header":                {"Content-Le", 0, "unexpected EOF"},
		"half a body":                  {"Content-Length: 30\r\n\r\n{", 0, "unexpected EOF"},
		"a type":                       {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 30\r\n\r\n" + message, 1, "EOF"},
		"a header of HTTP":             {"Content-Length: 30\r\nHost: localhost\r\n\r\n" + message, 0, `"Host: localhost" is neither Content-Length nor Content-Type`},
		"a request of HTTP":            {"POST /a:b HTTP/1.1\r\nContent-Length: 30\r\n\r\n" + message, 0, `"POST /a:b HTTP/1.1" is neither`},
		"a blank before the colon":     {"Content-Length : 30\r\n\r\n" + message, 0, "neither"},
		"bytes that steer a terminal":  {"\x1b]0;x\a: 1\r\n\r\n", 0, `"\x1b]0;x\a: 1" is neither`},
		"two lengths":                  {"Content-Length: 30\r\nContent-Length: 31\r\n\r\n" + message, 0, "two Content-Length"},
		"no JSON between two messages": {inFrame(message) + inFrame("{") + inFrame(message), 2, "EOF"},
		"too much":                     {"Content-Length: 134217729\r\n\r\n", 0, `the Content-Length is "134217729"; expected 1 to 134217728`},
		"a header for ever":            {strings.Repeat("Content-Type: b\r\n", 5000), 0, "longer than 8192 bytes"},
	} {
		server := newRecorder()
		transport.Serve(server, &fakeConn{Reader: strings.NewReader(c.sent)})
		if why := server.reason(); len(server.methods) != c.count || !strings.Contains(why.Error(), c.end) {
			t.Errorf("%s: %q, ended by %v", name, server.methods, why)
		}
	}
	server := newRecorder()
	socket := dial(t, server)
	_, _ = socket.NetConn().Write([]byte{0x81, 0x80 | 127, 0, 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0}) // claims one byte over 128 MiB
	if _, _, err := socket.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
		t.Errorf("too much on a socket: %v", err)
	}
	if why := server.reason(); why != websocket.ErrReadLimit {
		t.Errorf("too much on a socket ended by %v", why)
	}
	server = newRecorder()
	if err := dial(t, server).WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")); err != nil {
		t.Fatal(err)
	}
	if why := server.reason(); why != io.EOF {
		t.Errorf("a closed socket ended by %v", why)
	}
}

// TestLarge checks that a large message is answered, and comes back whole.
func TestLarge(t *testing.T) {
	for _, size := range []int{1, 100, 3 << 20} {
		ours, theirs := net.Pipe()
		server := newRecorder()
		go transport.Serve(server, theirs)
		params := `"` + strings.Repeat("é", size) + `"`
		go io.WriteString(ours, inFrame(`{"jsonrpc":"2.0","id":1,"method":"x","params":`+params+`}`))
		want := inFrame(`{"jsonrpc":"2.0","id":1,"result":` + params + `}`)
		got := make([]byte, len(want))
		if _, err := io.ReadFull(bufio.NewReader(ours), got); err != nil || string(got) != want {
			t.Errorf("%d: %d bytes, %v", size, len(got), err)
		}
		ours.Close()
	}
}

// FuzzServe reads arbitrary bytes, and writes only frames of JSON.
func FuzzServe(f *testing.F) {
	f.Add(inFrame(message))
	f.Add("Content-Length: 2\r\n\r\n[]Content-Length: 4294967296\n\n")
	f.Fuzz(func(t *testing.T, sent string) {
		conn := &fakeConn{Reader: strings.NewReader(sent)}
		transport.Serve(newRecorder(), conn)
		conn.Reader = &conn.Buffer
		for wire := lsptest.Framed(conn); ; {
			switch body, err := wire.Read(); {
			case err == io.EOF:
				return
			case err != nil || !json.Valid(body):
				t.Fatalf("%q, %v", body, err)
			}
		}
	})
}
