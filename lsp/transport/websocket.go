package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// WebSocket serves a session on each WebSocket, for the live playground and for editors in a
// browser.
type WebSocket struct {
	Server Server
	// Origins are the page origins that may connect, besides the loopback origin that serves the
	// socket. Without this check, any web page could connect. Programs send no origin and need only
	// the token.
	Origins []string
	// Token must be sent as the query parameter token or in an Authorization header.
	Token string
	// Context ends the sessions. An HTTP server does not track upgraded connections.
	Context context.Context

	sessions sync.RWMutex // locked for reading by each session
}

// pingInterval is half of how long a socket may be silent.
const pingInterval = 30 * time.Second

// Serve serves the sockets of a listener at any path until w.Context ends. It returns when all
// sessions have ended.
func (w *WebSocket) Serve(l net.Listener) error {
	ctx, cancel := context.WithCancel(w.Context)
	defer w.Wait()
	defer cancel()
	w.Context = ctx
	web := &http.Server{Handler: w, ReadHeaderTimeout: pingInterval}
	context.AfterFunc(ctx, func() { _ = web.Close() }) // unblocks Serve
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
	w.sessions.RLock()
	defer w.sessions.RUnlock()
	defer context.AfterFunc(w.Context, func() { _ = socket.Close() })() // its session notices
	w.serve(socket)
}

// Wait waits until all sessions have ended.
func (w *WebSocket) Wait() {
	w.sessions.Lock()
	defer w.sessions.Unlock()
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
	return slices.ContainsFunc([]string{"localhost", "127.0.0.1", "[::1]"}, func(own string) bool { return host == own || strings.HasPrefix(host, own+":") })
}

// hasToken reports whether a request carries the token.
func (w *WebSocket) hasToken(in *http.Request) bool {
	given := in.URL.Query().Get("token")
	if bearer, ok := strings.CutPrefix(in.Header.Get("Authorization"), "Bearer "); ok {
		given = bearer
	}
	return isToken(given, w.Token)
}

func (w *WebSocket) serve(socket *websocket.Conn) {
	socket.SetReadLimit(maxMessage)
	extend := func(string) error { return socket.SetReadDeadline(time.Now().Add(2 * pingInterval)) }
	_ = extend("") // if the socket is closed, reading fails too
	socket.SetPongHandler(extend)
	ctx, cancel := context.WithCancel(w.Context)
	defer cancel()
	go keepAlive(ctx, socket)
	serve(w.Server, &stream{frames: socketFrames{socket}}, false)
}

// keepAlive pings the client, because a connection may break without notice.
func keepAlive(ctx context.Context, socket *websocket.Conn) {
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if socket.WriteControl(websocket.PingMessage, nil, time.Now().Add(pingInterval)) != nil {
				return
			}
		}
	}
}

// socketFrames are the messages of a WebSocket.
type socketFrames struct{ *websocket.Conn }

// read leaves the limit to the socket.
func (f socketFrames) read(int) ([]byte, error) {
	_, body, err := f.ReadMessage()
	if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway) {
		err = io.EOF
	}
	return body, err
}

func (f socketFrames) write(body []byte) error {
	return f.WriteMessage(websocket.TextMessage, body)
}
