package lsp_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// masked returns a client's WebSocket frame that claims a length, with a mask of zeros.
func masked(first byte, length uint64, payload string) string {
	head := binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, length)
	return string(head) + "\x00\x00\x00\x00" + payload
}

// TestSocketFrames checks that an invalid frame ends its socket without a response, and the server
// goes on.
func TestSocketFrames(t *testing.T) {
	endpoint := &lsp.WebSocket{Server: newServer(nil), Token: "secret"}
	web := httptest.NewServer(endpoint)
	t.Cleanup(func() { endpoint.Close(); web.Close() })
	url := "ws" + strings.TrimPrefix(web.URL, "http") + "/lsp?token=secret"
	open := func() *websocket.Conn {
		conn, _, err := (&websocket.Dialer{EnableCompression: true}).Dial(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	const text, binary, ping = 0x81, 0x82, 0x89
	deep, first := strings.Repeat("[", 1_000_000), hello(`{}`)
	for name, sent := range map[string]string{
		"unmasked":           "\x81\x02{}",
		"a compressed one":   masked(text|0x40, 2, "\x00\x00"),
		"2^62 bytes":         masked(text, 1<<62, ""),
		"over 128 MiB":       masked(text, 128<<20+1, ""),
		"a large ping":       masked(ping, 200, strings.Repeat("x", 200)),
		"not UTF-8":          masked(text, 2, "\xff\xfe"),
		"a million deep":     masked(text, uint64(len(deep)), deep),
		"null":               masked(text, 4, "null"),
		"a number":           masked(text, 1, "5"),
		"a batch":            masked(text, uint64(len(first)+2), "["+first+"]"),
		"an unknown opcode":  masked(0x83, 0, ""),
		"the end of nothing": masked(0x80, 2, "{}"),
		"binary rubbish":     masked(binary, 3, "\x00\x01\x02"),
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
