package lsp_test

import (
	"bytes"
	"log"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// TestSetTrace checks that a client receives traces while it asks for them.
func TestSetTrace(t *testing.T) {
	e := start(t, newFolder(nil), allCapabilities)
	isTrace := func(m lsptest.Message) bool { return m.Method == "$/logTrace" }
	e.Notify("$/setTrace", `{"value":"verbose"}`)
	e.Open(doc, hasOne)
	m := e.AwaitNext("a trace", isTrace)
	for !strings.Contains(string(m.Params), "didOpen") {
		m = e.AwaitNext("a trace of didOpen", isTrace)
	}
	if !strings.Contains(string(m.Params), "received notification") || !strings.Contains(string(m.Params), "expected_outcme") {
		t.Errorf("%s", m.Params)
	}
	e.Notify("$/setTrace", `{"value":"messages"}`)
	e.Request("textDocument/hover", `{"textDocument":{"uri":"`+doc+`"},"position":{"line":0,"character":1}}`)
	m = e.AwaitNext("a trace of hover", func(m lsptest.Message) bool {
		return isTrace(m) && strings.Contains(string(m.Params), "received request 'textDocument/hover'")
	})
	if strings.Contains(string(m.Params), "verbose") {
		t.Errorf("messages only, but got %s", m.Params)
	}
	e.Notify("$/setTrace", `{"value":"off"}`)
	e.Request("textDocument/diagnostic", `{"textDocument":{"uri":"`+doc+`"}}`)
	for _, m := range e.Messages() {
		if isTrace(m) && strings.Contains(string(m.Params), "textDocument/diagnostic") {
			t.Errorf("traced after off: %s", m.Params)
		}
	}
}

// TestTraceLog checks that the server's log holds every message, without the options of
// initialize, which hold the token.
func TestTraceLog(t *testing.T) {
	server := newServer(newFolder(nil))
	written := &lockedBuffer{}
	server.Log, server.Trace = log.New(written, "", 0), true
	e := lsptest.Start(t, server)
	e.Initialize(allCapabilities, `"initializationOptions":{"token":"0123456789abcdef"}`)
	e.Open(doc, hasOne)
	e.AwaitDiagnostics(doc, 1)
	e.Stop()
	got := written.String()
	for _, want := range []string{"received request initialize", "received notification textDocument/didOpen", "sent notification textDocument/publishDiagnostics", "sent response shutdown"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the log:\n%s", want, got)
		}
	}
	if strings.Contains(got, "0123456789abcdef") {
		t.Errorf("the token is in the log:\n%s", got)
	}
}

// A lockedBuffer is a buffer that several goroutines use.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// TestTraceFromStart checks that a client that asks for traces in initialize receives none before
// the response.
func TestTraceFromStart(t *testing.T) {
	e := start(t, newFolder(nil), allCapabilities, `"trace":"verbose"`)
	e.Await("a trace", func(m lsptest.Message) bool { return m.Method == "$/logTrace" })
	if first := e.Messages()[0]; first.Method != "" {
		t.Errorf("before the response to initialize came %s", first.Method)
	}
}
