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

	mu       sync.Mutex
	open     map[*websocket.Conn]bool
	closed   bool
	sessions sync.WaitGroup
}

// The most and the longest that a socket's peer may send and be silent.
const (
	maxMessage   = 128 << 20
	pingInterval = 30 * time.Second
)

// Serve serves the sockets that are opened to a listener's address, at any path,
// until the context ends, and leaves none running.
func (w *WebSocket) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{Handler: w, ReadHeaderTimeout: pingInterval}
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
	case !w.isAllowedOrigin(in):
		http.Error(out, "this page's origin may not connect", http.StatusForbidden)
		return
	case !w.hasToken(in):
		http.Error(out, "the token is missing or wrong", http.StatusUnauthorized)
		return
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }} // checked above
	socket, err := upgrader.Upgrade(out, in, nil)
	if err != nil {
		return // which Upgrade has answered
	}
	defer socket.Close()
	if !w.register(socket) {
		return
	}
	defer w.unregister(socket)
	w.serve(socket)
}

// isAllowedOrigin reports whether a page may connect.
func (w *WebSocket) isAllowedOrigin(in *http.Request) bool {
	origin := in.Header.Get("Origin")
	if origin == "" || slices.Contains(w.Origins, origin) {
		return true
	}
	_, host, ok := strings.Cut(origin, "://")
	return ok && host == in.Host && IsLoopback(host)
}

// IsLoopback reports whether a host in a URL, with its port or without, is this
// machine. One that only resolves to it, as any domain's owner may have theirs do,
// is not.
func IsLoopback(host string) bool {
	for _, own := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if host == own || strings.HasPrefix(host, own+":") {
			return true
		}
	}
	return false
}

// hasToken reports whether a request has the token.
func (w *WebSocket) hasToken(in *http.Request) bool {
	given := in.URL.Query().Get("token")
	if bearer, ok := strings.CutPrefix(in.Header.Get("Authorization"), "Bearer "); ok {
		given = bearer
	}
	return isToken(given, w.Token)
}

// register counts a socket in, unless all have been closed.
func (w *WebSocket) register(socket *websocket.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	if w.open == nil {
		w.open = map[*websocket.Conn]bool{}
	}
	w.open[socket] = true
	w.sessions.Add(1)
	return true
}

func (w *WebSocket) unregister(socket *websocket.Conn) {
	w.mu.Lock()
	delete(w.open, socket)
	w.mu.Unlock()
	w.sessions.Done()
}

// Close ends all sessions and waits for them: an HTTP server does not know of
// sockets that were let in.
func (w *WebSocket) Close() {
	w.mu.Lock()
	w.closed = true
	for socket := range w.open {
		_ = socket.Close() // its session sees that
	}
	w.mu.Unlock()
	w.sessions.Wait()
}

// serve serves one socket.
func (w *WebSocket) serve(socket *websocket.Conn) {
	peer := &socketPeer{}
	peer.session = w.Server.newSession(peer)
	defer peer.session.jobs.wait()
	defer peer.session.hangUp()
	socket.SetReadLimit(maxMessage)
	extend := func(string) error { return socket.SetReadDeadline(time.Now().Add(2 * pingInterval)) }
	_ = extend("") // fails on a closed socket, which reading then says
	socket.SetPongHandler(extend)
	go peer.keepAlive(socket)
	server.NewServer(peer, w.Server.Name, false).ServeWebSocket(socket)
}

// keepAlive asks the other end for a sign of life: it may vanish without a word.
func (sp *socketPeer) keepAlive(socket *websocket.Conn) {
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case <-sp.session.ctx.Done():
			return
		case <-tick.C:
			if socket.WriteControl(websocket.PingMessage, nil, time.Now().Add(pingInterval)) != nil {
				return
			}
		}
	}
}

// socketPeer joins a session to a client over glsp.
type socketPeer struct {
	session *session
	mu      sync.Mutex
	last    *glsp.Context // how to reach the client, as its first message showed
}

// Handle takes each message in its turn; what is a notification, the table of
// methods says.
func (sp *socketPeer) Handle(in *glsp.Context) (result any, validMethod, validParams bool, err error) {
	sp.mu.Lock()
	sp.last = in
	sp.mu.Unlock()
	params := []byte(in.Params)
	if string(params) == "null" {
		params = nil
	}
	r, known := routes()[in.Method]
	if in.Method == protocol.MethodExit || known && r.handleNotification != nil || !known && strings.HasPrefix(in.Method, "$/") {
		sp.session.handleNotification(in.Method, params)
		return nil, true, true, nil
	}
	raw, err := sp.session.handleRequest(sp.session.ctx, in.Method, params, func() {})
	if err == nil {
		return json.RawMessage(raw), true, true, nil
	}
	var coded *jsonrpc2.Error
	if errors.As(err, &coded) {
		return nil, coded.Code != jsonrpc2.MethodNotFound, coded.Code != jsonrpc2.InvalidParams, err
	}
	return nil, true, true, err
}

func (sp *socketPeer) lastContext() *glsp.Context {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	return sp.last
}

// call waits beside the stack's own call, which knows no context and gives no
// error: a result that was not set is one.
func (sp *socketPeer) call(ctx context.Context, method string, params, result any) error {
	encoded, err := codec{}.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode the parameters of `%s`: %w", method, err)
	}
	answers := make(chan json.RawMessage, 1)
	go func() {
		var answer json.RawMessage
		sp.lastContext().Call(method, json.RawMessage(encoded), &answer)
		answers <- answer
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case answer := <-answers:
		if answer == nil {
			return fmt.Errorf("the client did not answer `%s`", method)
		}
		if result == nil {
			return nil
		}
		return codec{}.Unmarshal(answer, result)
	}
}

func (sp *socketPeer) notify(method string, params any) {
	if encoded, err := (codec{}).Marshal(params); err == nil {
		sp.lastContext().Notify(method, json.RawMessage(encoded))
	}
}
