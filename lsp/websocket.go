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

// WebSocket serves a session on each WebSocket, for the live playground and for editors in a
// browser.
//
// It uses glsp, with one glsp server per socket. That server handles one message at a time, which
// is fine because no request takes long. It knows only three error codes, so not initialized,
// cancelled and failed are all -32600 here, with the same messages as on a stream.
type WebSocket struct {
	Server *Server
	// Origins are the page origins that may connect, besides the loopback origin that serves the
	// socket. Without this check, any web page could connect. Programs send no origin and need only
	// the token.
	Origins []string
	// Token must be sent as the query parameter token or in an Authorization header.
	Token string

	mu       sync.Mutex
	open     map[*websocket.Conn]bool
	closed   bool
	sessions sync.WaitGroup
}

// Limits on a peer's message size and silence.
const (
	maxMessage   = 128 << 20
	pingInterval = 30 * time.Second
)

// Serve serves the sockets of a listener at any path until the context ends. It returns when all
// sessions have ended.
func (w *WebSocket) Serve(ctx context.Context, l net.Listener) error {
	web := &http.Server{Handler: w, ReadHeaderTimeout: pingInterval}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() }) // unblocks Serve
	defer stop()
	defer w.Close()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("accept a WebSocket: %w", err)
	}
	return nil
}

// ServeHTTP upgrades a connection and serves it until it closes.
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
		return // Upgrade has answered
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

// IsLoopback reports whether a host, with or without a port, is this machine by name. A domain that
// resolves to a loopback address does not count, because anyone can own one.
func IsLoopback(host string) bool {
	for _, own := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if host == own || strings.HasPrefix(host, own+":") {
			return true
		}
	}
	return false
}

// hasToken reports whether a request carries the token.
func (w *WebSocket) hasToken(in *http.Request) bool {
	given := in.URL.Query().Get("token")
	if bearer, ok := strings.CutPrefix(in.Header.Get("Authorization"), "Bearer "); ok {
		given = bearer
	}
	return isToken(given, w.Token)
}

// register adds a socket, unless Close was called.
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

// Close ends all sessions and waits for them. An HTTP server does not track upgraded connections.
func (w *WebSocket) Close() {
	w.mu.Lock()
	w.closed = true
	for socket := range w.open {
		_ = socket.Close() // its session notices
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
	_ = extend("") // if the socket is closed, reading fails too
	socket.SetPongHandler(extend)
	go peer.keepAlive(socket)
	server.NewServer(peer, w.Server.Name, false).ServeWebSocket(socket)
}

// keepAlive pings the client, because a connection may break without notice.
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

// socketPeer connects a session to a client over glsp.
type socketPeer struct {
	session *session
	mu      sync.Mutex
	last    *glsp.Context // context of the last message, which reaches the client
}

// Handle handles each message in order. The method table tells notifications from requests.
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

// call wraps glsp's call, which has no context and returns no error: without an answer, the result
// stays nil.
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
