package transport

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// TCP serves a session on each connection that starts with the token. Without a token, any web page
// or any other user's program could use a local port.
type TCP struct {
	Server Server
	// Token must be sent as initializationOptions.token.
	Token string
}

// Serve serves the connections of a listener until the context or the listener ends. It returns
// when all sessions have ended.
func (t *TCP) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, func() { _ = l.Close() }) // unblocks Accept
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			cancel() // ends the sessions
			return fmt.Errorf("accept a connection: %w", err)
		}
		sessions.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			stream, err := t.admit(conn)
			if err == nil {
				serve(t.Server, stream, false)
			} else if ctx.Err() == nil {
				t.Server.Logf("refused a connection: %v", err)
			}
		})
	}
}

var errToken = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the token is missing or wrong; send the one that `rubric lsp` printed as initializationOptions.token")

// admit reads a connection's first message, which must be an initialize request with the token. It
// answers only if nothing but the token is wrong.
func (t *TCP) admit(conn net.Conn) (*stream, error) {
	if err := conn.SetDeadline(time.Now().Add(pingInterval)); err != nil {
		return nil, err
	}
	s := &stream{frames: newHeaderFrames(conn)}
	first, err := s.read(maxFirstMessage)
	if err != nil {
		return nil, err
	}
	message, err := decode(first)
	call, ok := message.(*jsonrpc2.Call)
	if err != nil || !ok || call.Method() != protocol.MethodInitialize {
		return nil, fmt.Errorf("the first message is not an `%s` request", protocol.MethodInitialize)
	}
	var params protocol.InitializeParams
	var options struct {
		Token string `json:"token"`
	}
	if protocol.Unmarshal(call.Params(), &params) != nil || protocol.Unmarshal(params.InitializationOptions, &options) != nil || !isToken(options.Token, t.Token) {
		_, _ = s.Write(context.Background(), jsonrpc2.NewResponse(call.ID(), nil, errToken)) // the client may be gone
		return nil, errToken
	}
	s.first = first
	return s, conn.SetDeadline(time.Time{})
}

// isToken compares tokens in constant time. An empty token matches nothing.
func isToken(given, token string) bool {
	return token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// ErrRemote says that other machines can reach an address.
var ErrRemote = errors.New("can be reached from other machines")

// Listen listens on an address. Without a host it uses the loopback interface. It returns
// [ErrRemote] for an address that other machines reach, unless remote allows them.
func Listen(addr string, remote bool) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("`%s` is not an address; write it like `127.0.0.1:7777`", addr)
	}
	if host == "" && !remote {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		var opErr *net.OpError
		if errors.As(err, &opErr) {
			err = opErr.Err // the address is in the message already
		}
		return nil, fmt.Errorf("listen on `%s`: %w", addr, err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); !remote && (!ok || !tcp.IP.IsLoopback()) {
		_ = l.Close() // nothing was accepted
		return nil, fmt.Errorf("`%s` %w", addr, ErrRemote)
	}
	return l, nil
}
