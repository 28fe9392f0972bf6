package lsp_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// overSocket starts a session over a WebSocket.
func overSocket(t *testing.T, server *lsp.Server) *lsptest.Editor {
	return lsptest.Attach(t, lsptest.Socket(dialSocket(t, server)))
}

// dialSocket opens a WebSocket to a server.
func dialSocket(t *testing.T, server *lsp.Server) *websocket.Conn {
	t.Helper()
	endpoint := &transport.WebSocket{Server: server, Token: "secret", Context: t.Context()}
	web := httptest.NewServer(endpoint)
	t.Cleanup(func() { endpoint.Wait(); web.Close() })
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http")+"/lsp?token=secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// step is one step of a script. It returns what it received.
type step func(e *lsptest.Editor) string

func requestStep(method, params string) step {
	return func(e *lsptest.Editor) string {
		result, err := e.AwaitResponse(e.StartRequest(method, params))
		if err != nil {
			return fmt.Sprintf("%s fails: %v", method, err)
		}
		return method + " gives " + canonical(result)
	}
}

func notifyStep(method, params string) step {
	return func(e *lsptest.Editor) string { e.Notify(method, params); return "" }
}

func diagnosticsStep(version int) step {
	return func(e *lsptest.Editor) string {
		return fmt.Sprintf("version %d: %+v", version, e.AwaitDiagnostics(doc, version))
	}
}

// canonical returns JSON with sorted keys.
func canonical(raw json.RawMessage) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}

// longPollStep requests what changes next in the workspace. The request waits until end has made a
// change, or has cancelled the request with an id.
func longPollStep(end func(e *lsptest.Editor, id int)) step {
	return func(e *lsptest.Editor) string {
		var all struct{ Items []fileReport }
		e.RequestInto(&all, "workspace/diagnostic", `{"previousResultIds":[]}`)
		var known []string
		for _, r := range all.Items {
			known = append(known, fmt.Sprintf(`{"uri":%q,"value":%q}`, r.URI, r.ResultID))
		}
		id := e.StartRequest("workspace/diagnostic", `{"partialResultToken":"t","previousResultIds":[`+strings.Join(known, ",")+`]}`)
		end(e, id)
		result, err := e.AwaitResponse(id)
		return fmt.Sprintf("%s, %v", result, err)
	}
}

func cancelRequest(e *lsptest.Editor, id int) {
	e.Notify("$/cancelRequest", fmt.Sprintf(`{"id":%d}`, id))
}

// malformedStep sends what is not one message.
func malformedStep(body string) step {
	return func(e *lsptest.Editor) string {
		e.SendRaw([]byte(body))
		m := e.AwaitNext("an error", func(m lsptest.Message) bool { return m.Error != nil && string(m.ID) == "null" })
		return fmt.Sprintf("%s: %v", body, m.Error)
	}
}

// TestTransportsAgree runs one script over all transports.
func TestTransportsAgree(t *testing.T) {
	at := func(uri string) string { return `{"textDocument":{"uri":"` + uri + `"}}` }
	const place = `"range":{"start":{"line":2,"character":5},"end":{"line":2,"character":5}},"context":{"diagnostics":[]}`
	script := []step{
		requestStep("textDocument/codeAction", at(doc)),
		requestStep("initialize", `{"processId":null,"rootUri":null,"capabilities":`+resolveEditsCapabilities+`,"initializationOptions":{"token":"`+token+`"},"workspaceFolders":[{"uri":"file:///evals","name":"e"}]}`),
		requestStep("initialize", `{"processId":null,"rootUri":null,"capabilities":{}}`),
		notifyStep("initialized", "{}"),
		notifyStep("textDocument/didOpen", `{"textDocument":{"uri":"`+doc+`","languageId":"yaml","version":1,"text":`+quoted(hasOne)+`}}`),
		diagnosticsStep(1),
		requestStep("textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},`+place+`}`),
		requestStep("textDocument/codeAction", `{"textDocument":{"uri":"`+doc+`"},"range":5}`),
		requestStep("textDocument/diagnostic", at(doc)),
		requestStep("workspace/diagnostic", `{"previousResultIds":[]}`),
		longPollStep(cancelRequest),
		longPollStep(func(e *lsptest.Editor, _ int) { e.Change(doc, 2, lsptest.TextChange(2, 13, 19, "outcome")) }),
		diagnosticsStep(2),
		malformedStep("{"),
		malformedStep("{}"),
		malformedStep("[" + initializeRequest("{}") + "]"),
		requestStep("textDocument/diagnostic", at(doc)),
		notifyStep("no/such", "{}"),
		notifyStep("$/setTrace", `{"value":"verbose"}`),
		requestStep("no/such", "{}"),
		requestStep("codeAction/resolve", `{"title":"x","data":{"uri":"`+doc+`","version":1}}`),
		notifyStep("textDocument/didClose", at(doc)),
		diagnosticsStep(0),
		requestStep("shutdown", "null"),
		requestStep("textDocument/diagnostic", at(doc)),
		notifyStep("exit", "null"),
	}
	run := func(transport string) (lines []string) {
		e := transports[transport](t, newServer(newFolder(map[string]string{"/evals/b.eval.yaml": hasOne})))
		for i, s := range script {
			if i == 0 && transport == "TCP" { // whose first message must be initialize
				lines = append(lines, "")
				continue
			}
			lines = append(lines, s(e))
		}
		return lines
	}
	stream := run("stdio")
	for _, other := range []string{"TCP", "WebSocket"} {
		for i, line := range run(other) {
			if stream[i] != line && line != "" {
				t.Errorf("step %d:\nstdio %s\n%s %s", i, stream[i], other, line)
			}
		}
	}
	if all := strings.Join(stream, "\n"); strings.Count(all, "unknown-key") < 4 || strings.Count(all, "fails:") != 6 {
		t.Errorf("the script does not do what it should:\n%s", all)
	}
}

func quoted(s string) string {
	encoded, _ := json.Marshal(s)
	return string(encoded)
}

// TestSocketAsks makes the server send requests over a WebSocket.
func TestSocketAsks(t *testing.T) {
	e := overSocket(t, newServer(nil))
	e.Handle("workspace/configuration", func(json.RawMessage) any { return `[{"rules":{"unknown-key":"hint"}}]` })
	e.Initialize(`{"workspace":{"configuration":true,"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
	e.Open(doc, hasOne)
	for {
		if got := nextCodes(t, e); len(got) == 1 && got[0] == "unknown-key hint" {
			break // after those from before the response
		}
	}
	e.Await("a registration", func(m lsptest.Message) bool { return m.Method == "client/registerCapability" })
}

// TestWhoMayConnect checks that programs with the token and pages of listed origins may connect.
func TestWhoMayConnect(t *testing.T) {
	endpoint := &transport.WebSocket{Server: newServer(nil), Token: "secret", Origins: []string{"https://play.example"}, Context: t.Context()}
	web := httptest.NewServer(endpoint)
	t.Cleanup(func() { endpoint.Wait(); web.Close() })
	own := strings.TrimPrefix(web.URL, "http://")
	for _, c := range []struct {
		name, query, origin, host, bearer string
		status                            int
	}{
		{"a program", "?token=secret", "", "", "", 101},
		{"one with a header", "", "", "", "secret", 101},
		{"without the token", "", "", "", "", 401},
		{"with another", "?token=Secret", "", "", "", 401},
		{"with an empty one", "?token=", "", "", "", 401},
		{"with another first", "?token=x&token=secret", "", "", "", 401},
		{"with half of it", "?token=secre", "", "", "", 401},
		{"with more than it", "?token=secretx", "", "", "", 401},
		{"with another in a header", "?token=secret", "", "", "x", 401},
		{"a listed page", "?token=secret", "https://play.example", "", "", 101},
		{"a page of ours", "?token=secret", "http://" + own, "", "", 101},
		{"a page of another port", "?token=secret", "http://127.0.0.1:1", "", "", 403},
		{"any page", "?token=secret", "https://evil.example", "", "", 403},
		{"a page that calls itself us", "?token=secret", "http://127.0.0.1.evil.example", "", "", 403},
		{"a page whose name leads here", "?token=secret", "http://rebound.example", "rebound.example", "", 403},
		{"a page of another scheme", "?token=secret", "ftp://play.example", "", "", 403},
		{"a listed page's look-alike", "?token=secret", "https://play.example.evil.example", "", "", 403},
		{"a page without origin", "?token=secret", "null", "", "", 403},
		{"a listed page without the token", "", "https://play.example", "", "", 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := map[string][]string{}
			if c.origin != "" {
				header["Origin"] = []string{c.origin}
			}
			if c.host != "" {
				header["Host"] = []string{c.host}
			}
			if c.bearer != "" {
				header["Authorization"] = []string{"Bearer " + c.bearer}
			}
			conn, response, err := websocket.DefaultDialer.Dial("ws://"+own+"/lsp"+c.query, header)
			if response == nil || response.StatusCode != c.status {
				t.Fatalf("%v, %v", response, err)
			}
			if conn != nil {
				conn.Close()
			}
		})
	}
}

// TestNoToken checks that nothing can connect to an endpoint without a token.
func TestNoToken(t *testing.T) {
	web := httptest.NewServer(&transport.WebSocket{Server: newServer(nil)})
	defer web.Close()
	if _, response, _ := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http")+"?token=", nil); response == nil || response.StatusCode != 401 {
		t.Errorf("%v", response)
	}
}

// TestSocketsAreApart serves two sockets at once and closes them with the endpoint.
func TestSocketsAreApart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	endpoint := &transport.WebSocket{Server: newServer(nil), Token: "secret", Context: ctx}
	web := httptest.NewServer(endpoint)
	defer web.Close()
	var editors [2]*lsptest.Editor
	for i := range editors {
		conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http")+"?token=secret", nil)
		if err != nil {
			t.Fatal(err)
		}
		editors[i] = lsptest.Attach(t, lsptest.Socket(conn))
		editors[i].Initialize("{}")
	}
	editors[0].Open(doc, hasOne)
	editors[0].AwaitDiagnostics(doc, 1)
	editors[1].Request("shutdown", nil)
	editors[0].Change(doc, 2, lsptest.FullChange("x"))
	editors[0].AwaitDiagnostics(doc, 2)
	if len(editors[1].Messages()) != 2 {
		t.Errorf("the second is told of the first: %v", editors[1].Messages())
	}
	cancel()
	editors[0].AwaitClose()
	endpoint.Wait()
}

// maskedFrame returns a client's WebSocket frame that claims a length, with a mask of zeros.
func maskedFrame(first byte, length uint64, payload string) string {
	head := binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, length)
	return string(head) + "\x00\x00\x00\x00" + payload
}

// TestSocketFrames checks that an invalid frame ends its socket without a response, and the server
// goes on.
func TestSocketFrames(t *testing.T) {
	endpoint := &transport.WebSocket{Server: newServer(nil), Token: "secret", Context: t.Context()}
	web := httptest.NewServer(endpoint)
	t.Cleanup(func() { endpoint.Wait(); web.Close() })
	url := "ws" + strings.TrimPrefix(web.URL, "http") + "/lsp?token=secret"
	open := func() *websocket.Conn {
		conn, _, err := (&websocket.Dialer{EnableCompression: true}).Dial(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	const text, ping = 0x81, 0x89
	for name, sent := range map[string]string{
		"unmasked":           "\x81\x02{}",
		"a compressed one":   maskedFrame(text|0x40, 2, "\x00\x00"),
		"2^62 bytes":         maskedFrame(text, 1<<62, ""),
		"over 128 MiB":       maskedFrame(text, 128<<20+1, ""),
		"a large ping":       maskedFrame(ping, 200, strings.Repeat("x", 200)),
		"an unknown opcode":  maskedFrame(0x83, 0, ""),
		"the end of nothing": maskedFrame(0x80, 2, "{}"),
	} {
		conn := open()
		go io.WriteString(conn.NetConn(), sent) // the server may not read it all
		answer, _ := io.ReadAll(conn.NetConn()) // ends when the server closes the connection
		if strings.Contains(string(answer), "capabilities") {
			t.Errorf("%s is answered %q", name, answer)
		}
		conn.Close()
	}
	for range 100 { // half a request each
		conn, err := net.Dial("tcp", strings.TrimPrefix(web.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "GET /lsp HTTP/1.1\r\nHost: a")
	}
	e := lsptest.Attach(t, lsptest.Socket(open()))
	e.Initialize("{}")
	e.Open(doc, hasOne)
	e.AwaitDiagnostics(doc, 1)
}
