package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Limits of one message on every transport: the largest file that the server reads, escaped as
// JSON, and before a client is admitted, far more than the 20 kB of a real first message.
const (
	maxMessage      = 128 << 20
	maxFirstMessage = 1 << 20
)

// Serve serves the client that started this process until it exits, hangs up or dies. It
// closes rw and returns the protocol's exit status: 0 after shutdown, otherwise 1.
func Serve(server Server, rw io.ReadWriteCloser) int {
	return serve(server, &stream{frames: newHeaderFrames(rw)}, true)
}

// conn connects a session to a client.
type conn struct {
	session Session
	rpc     jsonrpc2.Conn

	mu      sync.Mutex
	cancels map[jsonrpc2.ID]context.CancelFunc // of the running requests
}

func serve(server Server, s *stream, isLocal bool) int {
	c := &conn{cancels: map[jsonrpc2.ID]context.CancelFunc{}}
	c.session = server.NewSession(c, isLocal)
	s.onEnd = c.session.HangUp
	c.rpc = jsonrpc2.NewConn(s, jsonrpc2.WithCodec(Codec{}))
	c.rpc.Go(c.session.Context(), c.handle)
	status := c.session.ExitStatus()
	_ = s.Close() // the client may have closed it first
	c.session.Wait()
	return status
}

// handle handles each message in order. The library reuses the request and its context, so sessions
// get contexts derived from their own.
func (c *conn) handle(reqCtx context.Context, req *jsonrpc2.Request) (any, error) {
	switch {
	case req.Method() == protocol.MethodCancelRequest:
		c.cancelRequest(req.Params())
		return nil, nil
	case !req.IsCall():
		c.session.HandleNotification(req.Method(), req.Params())
		return nil, nil
	}
	ctx, cancel := context.WithCancel(c.session.Context())
	defer cancel()
	id := req.ID()
	c.mu.Lock()
	c.cancels[id] = cancel
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.cancels, id)
		c.mu.Unlock()
	}()
	// The parameters stay valid after release, because bodies are not reused.
	return c.session.HandleRequest(ctx, req.Method(), req.Params(), func(written func()) {
		jsonrpc2.Async(reqCtx) // from here on the request's context is not reused, and ends when the response is written
		context.AfterFunc(reqCtx, written)
	})
}

// cancelRequest cancels a request. It ignores ids of finished or unknown requests.
func (c *conn) cancelRequest(params []byte) {
	var p protocol.CancelParams
	if err := protocol.Unmarshal(params, &p); err != nil {
		return
	}
	var id jsonrpc2.ID
	switch n := p.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(n))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(n))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.cancels[id]; cancel != nil {
		cancel()
	}
}

// Call implements Peer.
func (c *conn) Call(ctx context.Context, method string, params, result any) error {
	return protocol.Call(ctx, c.rpc, method, params, result)
}

// Notify implements Peer.
func (c *conn) Notify(method string, params any) {
	_ = c.rpc.Notify(c.session.Context(), method, params) // fails only if the connection is closed
}

// frames are the bodies of messages on one transport.
type frames interface {
	// read returns the next body, of at most limit bytes, which the caller owns.
	read(limit int) ([]byte, error)
	// write is not called concurrently.
	write(body []byte) error
	Close() error
}

// stream carries the messages of one connection.
type stream struct {
	frames
	first []byte // a body that was read before, or nil
	// onEnd is called with the reason when nothing more can be read. The library learns it later,
	// because it waits for running handlers.
	onEnd func(error)
	mu    sync.Mutex // guards write
}

// Read returns the next message. Bodies that are not one message get an error response.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		body, err := s.first, error(nil)
		if s.first = nil; body == nil {
			body, err = s.read(maxMessage)
		}
		if err == nil {
			m, fault := decode(body)
			if fault == nil {
				return m, int64(len(body)), nil
			}
			_, err = s.Write(ctx, jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, fault))
		}
		if err != nil {
			s.onEnd(err)
			return nil, 0, err
		}
	}
}

var (
	errNotJSON    = jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not JSON")
	errNotRequest = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the message is not a JSON-RPC 2.0 request")
	errBatch      = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "batches are not part of the protocol; send each message by itself")
)

func decode(body []byte) (jsonrpc2.Message, error) {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return nil, errBatch
	}
	m, err := jsonrpc2.DecodeMessage(body)
	switch {
	case err == nil:
		return m, nil
	case errors.Is(err, jsonrpc2.ErrInvalidRequest):
		return nil, errNotRequest
	}
	return nil, errNotJSON
}

// Write writes one message. Concurrent calls are safe.
func (s *stream) Write(_ context.Context, m jsonrpc2.Message) (int64, error) {
	body := jsonrpc2.AppendMessage(nil, m) // EncodeMessage copies it once more
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(body)), s.write(body)
}
