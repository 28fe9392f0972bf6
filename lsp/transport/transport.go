// Package transport carries JSON-RPC messages between clients and sessions: over standard input and
// output, TCP and WebSockets.
//
// The three differ only in their framing. One connection on the jsonrpc2 library serves them all,
// so that requests run concurrently, can be cancelled, and get the same error codes everywhere.
// The stream under it, which is ours, limits how much memory a peer can claim. It answers a body
// that is not exactly one message with an error and goes on; the library's streams would end the
// connection. glsp, whose server also speaks WebSocket, has three error codes and reads no message
// while it handles one, so that a request that waits for a change would never see it. Its
// types are the independent client of the tests.
//
// The package knows no session and no file.
package transport

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A Server opens sessions.
type Server interface {
	// NewSession returns the session of a client. IsLocal says that the client started this process.
	NewSession(peer Peer, isLocal bool) Session
	// Logf logs an error of a client.
	Logf(format string, args ...any)
}

// A Session handles the messages of one client, one call at a time and in order.
type Session interface {
	// HandleRequest answers a request. The next message is read after it returns, or from its call of
	// release on. The connection calls written after it has written the response.
	HandleRequest(ctx context.Context, method string, params []byte, release func(written func())) (jsonrpc2.RawMessage, error)
	HandleNotification(method string, params []byte)
	// HangUp ends the session because nothing more can be read. The reason is io.EOF if the peer
	// closed the connection between two messages.
	HangUp(reason error)
	// Context ends with the session.
	Context() context.Context
	// ExitStatus waits for the session's end.
	ExitStatus() int
	// Wait waits briefly, after the session's end, for what it started.
	Wait()
}

// A Peer is the client's end of a connection.
type Peer interface {
	// Call sends a request, waits for the response and decodes it into result, unless result is
	// nil. The goroutine that reads messages must not call it.
	Call(ctx context.Context, method string, params, result any) error
	// Notify sends a notification. It ignores errors of a closed connection.
	Notify(method string, params any)
}

// Codec encodes the protocol's types, whose unions encoding/json cannot handle. The protocol
// package does not export its own codec.
type Codec struct{}

// Marshal encodes v. It returns raw JSON unchanged.
func (Codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok && raw != nil {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal decodes data into v.
func (Codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// Encode encodes a value whose encoding cannot fail, such as a struct of strings and numbers.
func Encode(v any) []byte {
	encoded, err := Codec{}.Marshal(v)
	if err != nil {
		panic(err)
	}
	return encoded
}
