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

// limit is how long a server may be silent when something is awaited.
const limit = 20 * time.Second

// Editor is one end of a session.
type Editor struct {
	t    testing.TB
	wire Wire

	lock    sync.Mutex
	news    *sync.Cond
	got     []Message
	pushed  []Published                          // those of got that are such
	read    int                                  // of got, those that were taken by Next
	serving map[string]func(json.RawMessage) any // answers to the server's requests
	silent  bool                                 // answers none
	closed  bool
	next    int
	sending sync.Mutex
	order   order

	exit chan int
}

// Start starts a session with a server over a pipe in memory, and ends it with
// the test.
func Start(t testing.TB, server *lsp.Server) *Editor {
	t.Helper()
	ours, theirs := net.Pipe()
	e := Attach(t, Framed(ours))
	go func() { e.exit <- server.Serve(theirs) }()
	return e
}

// Attach is an editor at the end of a wire.
func Attach(t testing.TB, wire Wire) *Editor {
	e := &Editor{t: t, wire: wire, serving: map[string]func(json.RawMessage) any{}, exit: make(chan int, 1), order: order{asked: map[string]string{}}}
	e.news = sync.NewCond(&e.lock)
	done := make(chan struct{})
	go func() { defer close(done); e.listen() }()
	t.Cleanup(func() {
		_ = wire.Close() // the server may have been first
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
			e.check(m)
		}
		e.lock.Lock()
		if err != nil {
			e.closed = true
			e.news.Broadcast()
			e.lock.Unlock()
			return
		}
		e.got = append(e.got, m)
		if m.Method == publishDiagnostics {
			e.push(m)
		}
		answer := e.serving[m.Method]
		silent := e.silent
		e.news.Broadcast()
		e.lock.Unlock()
		if m.Method != "" && m.ID != nil && !silent {
			go e.answer(m, answer)
		}
	}
}

// check holds a message of the server's against what the protocol says of it.
func (e *Editor) check(m Message) {
	e.lock.Lock()
	kind, fault := e.order.got(m)
	e.lock.Unlock()
	if fault != "" {
		e.t.Errorf("the server sent %s %s%s: %s", m.Method, m.ID, m.Result, fault)
		return
	}
	payload := m.Params
	if m.Method == "" {
		payload = m.Result
	}
	hold(e.t, kind, payload)
}

// answer answers a request of the server's, null by default.
func (e *Editor) answer(m Message, with func(json.RawMessage) any) {
	reply := Message{ID: m.ID, Result: json.RawMessage("null")}
	if with != nil {
		if result := with(m.Params); result != nil {
			reply.Result = e.encode(result)
		}
	}
	e.Send(reply)
}

// Serve answers a method of the server's with what f gives; nil is null.
func (e *Editor) Serve(method string, f func(params json.RawMessage) any) {
	e.use(method)
	e.lock.Lock()
	defer e.lock.Unlock()
	e.serving[method] = f
}

// Silence answers no request of the server's from now on.
func (e *Editor) Silence() {
	e.lock.Lock()
	defer e.lock.Unlock()
	e.silent = true
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

// used are the methods that tests have sent, or waited for, by the test's name.
var used = struct {
	sync.Mutex
	by map[string]map[string]bool
}{by: map[string]map[string]bool{}}

// Used are the names of the tests that sent a method or waited for it.
func Used(method string) []string {
	used.Lock()
	defer used.Unlock()
	return slices.Sorted(maps.Keys(used.by[method]))
}

func (e *Editor) use(method string) {
	name, _, _ := strings.Cut(e.t.Name(), "/")
	if method == "" || !strings.HasPrefix(name, "Test") {
		return
	}
	used.Lock()
	defer used.Unlock()
	if used.by[method] == nil {
		used.by[method] = map[string]bool{}
	}
	used.by[method][name] = true
}

// Send sends a message. A server that has gone is no fault: a test says so by
// what it awaits.
func (e *Editor) Send(m Message) {
	m.Version = "2.0"
	e.use(m.Method)
	e.lock.Lock()
	e.order.sent(m)
	e.lock.Unlock()
	body, err := json.Marshal(m)
	if err != nil {
		e.t.Errorf("encode %v: %v", m, err)
	}
	e.SendRaw(body)
}

// SendRaw sends a body as it is.
func (e *Editor) SendRaw(body []byte) {
	e.sending.Lock()
	defer e.sending.Unlock()
	_ = e.wire.Write(body)
}

// Notify sends a notification; params are JSON in a string, or what is encoded
// to it.
func (e *Editor) Notify(method string, params any) {
	m := Message{Method: method}
	if params != nil {
		m.Params = e.encode(params)
	}
	e.Send(m)
}

// Ask sends a request and gives its id.
func (e *Editor) Ask(method string, params any) (id int) {
	e.lock.Lock()
	e.next++
	id = e.next
	e.lock.Unlock()
	m := Message{ID: json.RawMessage(strconv.Itoa(id)), Method: method}
	if params != nil {
		m.Params = e.encode(params)
	}
	e.Send(m)
	return id
}

// Answer waits for the answer to a request.
func (e *Editor) Answer(id int) (json.RawMessage, *Error) {
	e.t.Helper()
	want := strconv.Itoa(id)
	m := e.Await("the answer "+want, func(m Message) bool { return m.Method == "" && string(m.ID) == want })
	return m.Result, m.Error
}

// Request asks and waits for the result; an error fails the test.
func (e *Editor) Request(method string, params any) json.RawMessage {
	e.t.Helper()
	result, err := e.Answer(e.Ask(method, params))
	if err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// Into asks and decodes the result.
func (e *Editor) Into(result any, method string, params any) {
	e.t.Helper()
	if raw := e.Request(method, params); json.Unmarshal(raw, result) != nil {
		e.t.Fatalf("%s: %s is no %T", method, raw, result)
	}
}

// Await waits for a message, past or to come, and gives the first.
func (e *Editor) Await(what string, is func(Message) bool) Message {
	e.t.Helper()
	seen := 0
	return e.await(what, func() (Message, bool) {
		for ; seen < len(e.got); seen++ {
			if is(e.got[seen]) {
				return e.got[seen], true
			}
		}
		return Message{}, false
	})
}

// Next waits for the next message that Next has not given yet, passing over
// those that are not meant.
func (e *Editor) Next(what string, is func(Message) bool) Message {
	e.t.Helper()
	return e.await(what, func() (Message, bool) {
		for e.read < len(e.got) {
			m := e.got[e.read]
			e.read++
			if is(m) {
				return m, true
			}
		}
		return Message{}, false
	})
}

func (e *Editor) await(what string, find func() (Message, bool)) Message {
	e.t.Helper()
	late := false
	timer := time.AfterFunc(limit, func() {
		e.lock.Lock()
		late = true
		e.news.Broadcast()
		e.lock.Unlock()
	})
	defer timer.Stop()
	e.lock.Lock()
	defer e.lock.Unlock()
	for {
		if m, ok := find(); ok {
			e.use(m.Method)
			return m
		}
		if late || e.closed {
			e.t.Fatalf("%s did not come (the session is over: %v)", what, e.closed)
		}
		e.news.Wait()
	}
}

// Messages is everything that has come.
func (e *Editor) Messages() []Message {
	e.lock.Lock()
	defer e.lock.Unlock()
	return append([]Message(nil), e.got...)
}

// HangUp closes the wire as a client that dies does.
func (e *Editor) HangUp() { _ = e.wire.Close() }

// Exit waits for the session's end and gives its exit status.
func (e *Editor) Exit() int {
	e.t.Helper()
	select {
	case status := <-e.exit:
		return status
	case <-time.After(limit):
		e.t.Fatal("the session did not end")
		return -1
	}
}

// Gone waits for the server to close the wire.
func (e *Editor) Gone() {
	e.t.Helper()
	e.await("the end", func() (Message, bool) { return Message{}, e.closed })
}
