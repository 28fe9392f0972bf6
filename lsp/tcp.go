package lsp

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/frame"
)

// TCP serves a session over each connection that begins with the token. Any page
// in a browser and any program of another user can connect to a local port.
type TCP struct {
	Server *Server
	// Token has to be in the initialization options, as token.
	Token string
}

// maxFirstMessage is the largest first message. Real ones are some 20 kB.
const maxFirstMessage = 1 << 20

// Serve serves the connections to a listener until the context or the listener
// ends, and leaves none running.
func (t *TCP) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, func() { _ = l.Close() }) // which is what Accept waits for
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			cancel() // the sessions end with it
			return fmt.Errorf("accept a connection: %w", err)
		}
		sessions.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			stream, err := t.admit(conn)
			if err == nil {
				t.Server.serve(stream, false)
			} else if ctx.Err() == nil {
				t.Server.logger().Printf("a connection is refused: %v", err)
			}
		})
	}
}

var errToken = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the token is missing or wrong; send the one that `rubric lsp` printed as initializationOptions.token")

// admit reads a connection's first message, which has to be an initialize request
// with the token. Only a request that lacks no more than the token is answered.
func (t *TCP) admit(conn net.Conn) (*frame.Stream, error) {
	if err := conn.SetDeadline(time.Now().Add(pingInterval)); err != nil {
		return nil, err
	}
	stream := frame.New(conn)
	body, err := stream.Peek(maxFirstMessage)
	if err != nil {
		return nil, err
	}
	message, err := jsonrpc2.DecodeMessage(body)
	call, ok := message.(*jsonrpc2.Call)
	if err != nil || !ok || call.Method() != protocol.MethodInitialize {
		return nil, fmt.Errorf("its first message is no `%s` request", protocol.MethodInitialize)
	}
	var params protocol.InitializeParams
	var opts initOptions
	if protocol.Unmarshal(call.Params(), &params) != nil || protocol.Unmarshal(params.InitializationOptions, &opts) != nil || !isToken(opts.Token, t.Token) {
		_, _ = stream.WriteFrame(context.Background(), jsonrpc2.AppendResponse(nil, call.ID(), nil, errToken)) // the client may be gone
		return nil, errToken
	}
	return stream, conn.SetDeadline(time.Time{})
}

// isToken compares in a time that does not depend on what is right in given. No
// token is the same as an empty one.
func isToken(given, token string) bool {
	return token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}
