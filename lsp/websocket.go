package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/tliron/glsp"
	"github.com/tliron/glsp/server"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// WebSocket serves a session over each socket that is opened to it: the live
// playground's, or a browser editor's.
//
// It is the other stack, glsp's, with a server of its own for each socket: that
// takes one message after the other, which is harmless because no request takes
// long, and it knows three error codes, so what is told apart on a stream
// (not initialized, cancelled, failed) is -32600 here with the same words.
type WebSocket struct {
	Server *Server
	// Origins are those of pages that may connect, besides the one that the
	// socket's own address is: without this list any page that somebody visits
	// could. Programs, which send no origin, need the token alone.
	Origins []string
	// Token has to be in the query, as token, or an Authorization header.
	Token string

	lock    sync.Mutex
	open    map[*websocket.Conn]bool
	closed  bool
	running sync.WaitGroup
}

// The most and the longest that a socket's peer may send and be silent.
const (
	maxMessage = 128 << 20
	pulse      = 30 * time.Second
)

// Serve serves the sockets that are opened to a listener's address, at any path,
// until the context ends, and leaves none running.
func (w *WebSocket) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{Handler: w, ReadHeaderTimeout: pulse}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() }) // which is what Serve waits for
	defer stop()
	defer w.Close()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("accept a WebSocket: %w", err)
	}
	return nil
}

// ServeHTTP lets a client in and serves it until it leaves.
func (w *WebSocket) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	switch {
	case !w.allowed(in):
		http.Error(out, "this page's origin may not connect", http.StatusForbidden)
		return
	case !w.knows(in):
		http.Error(out, "the token is missing or wrong", http.StatusUnauthorized)
		return
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }} // checked above
	socket, err := upgrader.Upgrade(out, in, nil)
	if err != nil {
		return // which Upgrade has answered
	}
	defer socket.Close()
	if !w.enter(socket) {
		return
	}
	defer w.leave(socket)
	w.serve(socket)
}

// allowed reports whether a page may connect.
func (w *WebSocket) allowed(in *http.Request) bool {
	origin := in.Header.Get("Origin")
	if origin == "" || slices.Contains(w.Origins, origin) {
		return true
	}
	_, host, ok := strings.Cut(origin, "://")
	return ok && host == in.Host && Loopback(host)
}

// Loopback reports whether a host in a URL, with its port or without, is this
// machine. One that only resolves to it, as any domain's owner may have theirs do,
// is not.
func Loopback(host string) bool {
	for _, own := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if host == own || strings.HasPrefix(host, own+":") {
			return true
		}
	}
	return false
}

// knows reports whether a request has the token.
func (w *WebSocket) knows(in *http.Request) bool {
	given := in.URL.Query().Get("token")
	if bearer, ok := strings.CutPrefix(in.Header.Get("Authorization"), "Bearer "); ok {
		given = bearer
	}
	return sameToken(given, w.Token)
}

// enter counts a socket in, unless all have been closed.
func (w *WebSocket) enter(socket *websocket.Conn) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.closed {
		return false
	}
	if w.open == nil {
		w.open = map[*websocket.Conn]bool{}
	}
	w.open[socket] = true
	w.running.Add(1)
	return true
}

func (w *WebSocket) leave(socket *websocket.Conn) {
	w.lock.Lock()
	delete(w.open, socket)
	w.lock.Unlock()
	w.running.Done()
}

// Close ends all sessions and waits for them: an HTTP server does not know of
// sockets that were let in.
func (w *WebSocket) Close() {
	w.lock.Lock()
	w.closed = true
	for socket := range w.open {
		_ = socket.Close() // its session sees that
	}
	w.lock.Unlock()
	w.running.Wait()
}

// serve serves one socket.
func (w *WebSocket) serve(socket *websocket.Conn) {
	link := &socketLink{}
	link.session = w.Server.begin(link)
	defer link.session.jobs.settle()
	defer link.session.hangUp()
	socket.SetReadLimit(maxMessage)
	alive := func(string) error { return socket.SetReadDeadline(time.Now().Add(2 * pulse)) }
	_ = alive("") // fails on a closed socket, which reading then says
	socket.SetPongHandler(alive)
	go link.beat(socket)
	server.NewServer(link, w.Server.Name, false).ServeWebSocket(socket)
}

// beat asks the other end for a sign of life: it may vanish without a word.
func (l *socketLink) beat(socket *websocket.Conn) {
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		select {
		case <-l.session.ctx.Done():
			return
		case <-tick.C:
			if socket.WriteControl(websocket.PingMessage, nil, time.Now().Add(pulse)) != nil {
				return
			}
		}
	}
}

// socketLink joins a session to a client over glsp.
type socketLink struct {
	session *session
	lock    sync.Mutex
	way     *glsp.Context // how to reach the client, as its first message showed
}

// Handle takes each message in its turn; what is a notification, the table of
// methods says.
func (l *socketLink) Handle(in *glsp.Context) (result any, validMethod, validParams bool, err error) {
	l.lock.Lock()
	l.way = in
	l.lock.Unlock()
	params := []byte(in.Params)
	if string(params) == "null" {
		params = nil
	}
	r, known := routes()[in.Method]
	if in.Method == protocol.MethodExit || known && r.hear != nil || !known && strings.HasPrefix(in.Method, "$/") {
		l.session.notify(in.Method, params)
		return nil, true, true, nil
	}
	raw, err := l.session.request(l.session.ctx, in.Method, params, func() {})
	if err == nil {
		return json.RawMessage(raw), true, true, nil
	}
	var coded *jsonrpc2.Error
	if errors.As(err, &coded) {
		return nil, coded.Code != jsonrpc2.MethodNotFound, coded.Code != jsonrpc2.InvalidParams, err
	}
	return nil, true, true, err
}

func (l *socketLink) context() *glsp.Context {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.way
}

// call waits beside the stack's own call, which knows no context and gives no
// error: a result that was not set is one.
func (l *socketLink) call(ctx context.Context, method string, params, result any) error {
	encoded, err := codec{}.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode the parameters of `%s`: %w", method, err)
	}
	answered := make(chan json.RawMessage, 1)
	go func() {
		var answer json.RawMessage
		l.context().Call(method, json.RawMessage(encoded), &answer)
		answered <- answer
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case answer := <-answered:
		if answer == nil {
			return fmt.Errorf("the client did not answer `%s`", method)
		}
		if result == nil {
			return nil
		}
		return codec{}.Unmarshal(answer, result)
	}
}

func (l *socketLink) notify(method string, params any) {
	if encoded, err := (codec{}).Marshal(params); err == nil {
		l.context().Notify(method, json.RawMessage(encoded))
	}
}
