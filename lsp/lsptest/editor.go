// Package lsptest is an LSP client for tests. It starts a session in memory, sends messages and
// records what it receives.
//
// It shares only bytes and the list of protocol methods with the server: it has its own framing and
// uses encoding/json. It waits for messages and never sleeps. A test fails if an awaited message
// does not arrive.
package lsptest

import (
	"encoding/json"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-ls/rubric/lsp"
)

// timeout is how long the server may take to send an awaited message.
const timeout = time.Minute

// Editor is the client's end of a session.
type Editor struct {
	t    testing.TB
	wire Wire

	mu        sync.Mutex
	arrived   *sync.Cond
	received  []Message
	published []Published                          // the diagnostics among received
	nextIndex int                                  // index in received where AwaitNext continues
	handlers  map[string]func(json.RawMessage) any // answers to the server's requests
	isSilent  bool                                 // do not answer the server's requests
	closed    bool
	lastID    int
	sendMu    sync.Mutex
	state     protocolState

	exit chan int
}

// Start starts a session with a server over an in-memory pipe and ends it with the test.
func Start(t testing.TB, server *lsp.Server) *Editor {
	t.Helper()
	ours, theirs := net.Pipe()
	e := Attach(t, Framed(ours))
	go func() { e.exit <- server.Serve(theirs) }()
	return e
}

// Attach returns an editor that uses an existing connection.
func Attach(t testing.TB, wire Wire) *Editor {
	e := &Editor{t: t, wire: wire, handlers: map[string]func(json.RawMessage) any{}, exit: make(chan int, 1), state: protocolState{pending: map[string]string{}}}
	e.arrived = sync.NewCond(&e.mu)
	done := make(chan struct{})
	go func() { defer close(done); e.listen() }()
	t.Cleanup(func() {
		_ = wire.Close() // the server may have closed it first
		<-done
	})
	return e
}

func (e *Editor) listen() {
	for {
		body, err := e.wire.Read()
		var m Message
		if err == nil {
			if err := json.Unmarshal(body, &m); err != nil {
				e.t.Errorf("the server sent %q: %v", body, err)
			}
			e.checkMessage(m)
		}
		e.mu.Lock()
		if err != nil {
			e.closed = true
			e.arrived.Broadcast()
			e.mu.Unlock()
			return
		}
		e.received = append(e.received, m)
		if m.Method == publishDiagnostics {
			e.recordPublish(m)
		}
		answer := e.handlers[m.Method]
		silent := e.isSilent
		e.arrived.Broadcast()
		e.mu.Unlock()
		if m.Method != "" && m.ID != nil && !silent {
			go e.answer(m, answer)
		}
	}
}

// checkMessage checks a message of the server against the protocol.
func (e *Editor) checkMessage(m Message) {
	e.mu.Lock()
	kind, fault := e.state.checkReceived(m)
	e.mu.Unlock()
	if fault != "" {
		e.t.Errorf("the server sent %s %s%s: %s", m.Method, m.ID, m.Result, fault)
		return
	}
	payload := m.Params
	if m.Method == "" {
		payload = m.Result
	}
	checkSchema(e.t, kind, payload)
}

// answer answers a request of the server; the default is null.
func (e *Editor) answer(m Message, handler func(json.RawMessage) any) {
	reply := Message{ID: m.ID, Result: json.RawMessage("null")}
	if handler != nil {
		if result := handler(m.Params); result != nil {
			reply.Result = e.encode(result)
		}
	}
	e.Send(reply)
}

// Handle answers the server's requests of a method with the results of f; nil becomes null.
func (e *Editor) Handle(method string, f func(params json.RawMessage) any) {
	e.recordUse(method)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handlers[method] = f
}

// Silence stops answering the server's requests.
func (e *Editor) Silence() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.isSilent = true
}

func (e *Editor) encode(v any) json.RawMessage {
	if raw, ok := v.(string); ok {
		return json.RawMessage(raw)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		e.t.Errorf("encode %v: %v", v, err)
	}
	return raw
}

// usedMethods records which tests sent or awaited a method.
var usedMethods = struct {
	sync.Mutex
	by map[string]map[string]bool
}{by: map[string]map[string]bool{}}

// TestsUsing returns the names of the tests that sent or awaited a method.
func TestsUsing(method string) []string {
	usedMethods.Lock()
	defer usedMethods.Unlock()
	return slices.Sorted(maps.Keys(usedMethods.by[method]))
}

func (e *Editor) recordUse(method string) {
	name, _, _ := strings.Cut(e.t.Name(), "/")
	if method == "" || !strings.HasPrefix(name, "Test") {
		return
	}
	usedMethods.Lock()
	defer usedMethods.Unlock()
	if usedMethods.by[method] == nil {
		usedMethods.by[method] = map[string]bool{}
	}
	usedMethods.by[method][name] = true
}

// Send sends a message. It ignores a closed connection, because the test will miss what it awaits.
func (e *Editor) Send(m Message) {
	m.Version = "2.0"
	e.recordUse(m.Method)
	e.mu.Lock()
	e.state.recordRequest(m)
	e.mu.Unlock()
	body, err := json.Marshal(m)
	if err != nil {
		e.t.Errorf("encode %v: %v", m, err)
	}
	e.SendRaw(body)
}

// SendRaw sends a body unchanged.
func (e *Editor) SendRaw(body []byte) {
	e.sendMu.Lock()
	defer e.sendMu.Unlock()
	_ = e.wire.Write(body)
}

// Notify sends a notification. A string as params is raw JSON; other values are encoded.
func (e *Editor) Notify(method string, params any) {
	m := Message{Method: method}
	if params != nil {
		m.Params = e.encode(params)
	}
	e.Send(m)
}

// StartRequest sends a request and returns its id.
func (e *Editor) StartRequest(method string, params any) (id int) {
	e.mu.Lock()
	e.lastID++
	id = e.lastID
	e.mu.Unlock()
	m := Message{ID: json.RawMessage(strconv.Itoa(id)), Method: method}
	if params != nil {
		m.Params = e.encode(params)
	}
	e.Send(m)
	return id
}

// AwaitResponse waits for the response to a request.
func (e *Editor) AwaitResponse(id int) (json.RawMessage, *Error) {
	e.t.Helper()
	want := strconv.Itoa(id)
	m := e.Await("the answer "+want, func(m Message) bool { return m.Method == "" && string(m.ID) == want })
	return m.Result, m.Error
}

// Request sends a request and waits for its result. An error fails the test.
func (e *Editor) Request(method string, params any) json.RawMessage {
	e.t.Helper()
	result, err := e.AwaitResponse(e.StartRequest(method, params))
	if err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// RequestInto sends a request and decodes its result.
func (e *Editor) RequestInto(result any, method string, params any) {
	e.t.Helper()
	if raw := e.Request(method, params); json.Unmarshal(raw, result) != nil {
		e.t.Fatalf("%s: %s is no %T", method, raw, result)
	}
}

// Await returns the first message, past or future, that matches.
func (e *Editor) Await(what string, is func(Message) bool) Message {
	e.t.Helper()
	return e.awaitFrom(new(int), what, is)
}

// AwaitNext returns the next message that matches, after the one that it returned before.
func (e *Editor) AwaitNext(what string, is func(Message) bool) Message {
	e.t.Helper()
	return e.awaitFrom(&e.nextIndex, what, is)
}

// awaitFrom returns the first message from an index on that matches, and moves the index past it.
func (e *Editor) awaitFrom(next *int, what string, is func(Message) bool) Message {
	e.t.Helper()
	return e.await(what, func() (Message, bool) {
		for *next < len(e.received) {
			m := e.received[*next]
			if *next++; is(m) {
				return m, true
			}
		}
		return Message{}, false
	})
}

func (e *Editor) await(what string, find func() (Message, bool)) Message {
	e.t.Helper()
	late := false
	timer := time.AfterFunc(timeout, func() {
		e.mu.Lock()
		late = true
		e.arrived.Broadcast()
		e.mu.Unlock()
	})
	defer timer.Stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if m, ok := find(); ok {
			e.recordUse(m.Method)
			return m
		}
		if late || e.closed {
			e.t.Fatalf("%s did not come (the session is over: %v)", what, e.closed)
		}
		e.arrived.Wait()
	}
}

// Messages returns all received messages.
func (e *Editor) Messages() []Message {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.received)
}

// HangUp closes the connection, as a dying client does.
func (e *Editor) HangUp() { _ = e.wire.Close() }

// AwaitExit waits for the session's end and returns its exit status.
func (e *Editor) AwaitExit() int {
	e.t.Helper()
	select {
	case status := <-e.exit:
		return status
	case <-time.After(timeout):
		e.t.Fatal("the session did not end")
		return -1
	}
}

// AwaitClose waits until the server closes the connection.
func (e *Editor) AwaitClose() {
	e.t.Helper()
	e.await("the end", func() (Message, bool) { return Message{}, e.closed })
}
