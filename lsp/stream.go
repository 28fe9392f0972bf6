package lsp

import (
	"context"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/frame"
)

// Serve serves one local client over a stream until it exits, hangs up or dies. It closes conn and
// returns the protocol's exit status: 0 after shutdown, otherwise 1.
func (s *Server) Serve(conn io.ReadWriteCloser) int { return s.serve(frame.New(conn), true) }

// serve serves one client. IsLocal says that the client started this process. Then the session
// watches the client's process and trusts it by default.
func (s *Server) serve(stream *frame.Stream, isLocal bool) int {
	peer := &streamPeer{cancels: map[jsonrpc2.ID]context.CancelFunc{}}
	peer.session = s.newSession(peer)
	peer.session.isLocal = isLocal
	stream.OnEnd = func(err error) {
		if err != io.EOF {
			peer.session.log("the stream ended: %v", err)
		}
		peer.session.hangUp()
	}
	if s.Context != nil {
		defer context.AfterFunc(s.Context, func() { peer.session.end(0) })()
	}
	peer.conn = jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{}))
	peer.conn.Go(peer.session.ctx, peer.handle)
	status := <-peer.session.exitStatus
	_ = stream.Close() // the client may have closed it first
	peer.session.jobs.wait()
	return status
}

// streamPeer connects a session to a client over the jsonrpc2 library.
type streamPeer struct {
	session *session
	conn    jsonrpc2.Conn

	mu      sync.Mutex
	cancels map[jsonrpc2.ID]context.CancelFunc
}

// handle handles each message in order. The library reuses the request and its context, so handlers
// get contexts derived from the session's.
func (sp *streamPeer) handle(reqCtx context.Context, req *jsonrpc2.Request) (any, error) {
	switch {
	case req.Method() == protocol.MethodCancelRequest:
		sp.cancelRequest(req.Params())
		return nil, nil
	case !req.IsCall():
		sp.session.handleNotification(req.Method(), req.Params())
		return nil, nil
	}
	ctx, cancel := context.WithCancel(sp.session.ctx)
	defer cancel()
	id := req.ID()
	sp.mu.Lock()
	sp.cancels[id] = cancel
	sp.mu.Unlock()
	defer func() {
		sp.mu.Lock()
		delete(sp.cancels, id)
		sp.mu.Unlock()
	}()
	// The parameters stay valid after release, because frame bodies are not reused.
	return sp.session.handleRequest(ctx, req.Method(), req.Params(), func() { sp.release(reqCtx) })
}

// release lets the next message be read. After that the request's context is not reused, and it
// ends when the response is written.
func (sp *streamPeer) release(reqCtx context.Context) {
	jsonrpc2.Async(reqCtx)
	sp.session.requests.Add(1)
	context.AfterFunc(reqCtx, sp.session.requests.Done)
}

// cancelRequest cancels a request. It ignores ids of finished or unknown requests.
func (sp *streamPeer) cancelRequest(params []byte) {
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
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if cancel := sp.cancels[id]; cancel != nil {
		cancel()
	}
}

func (sp *streamPeer) call(ctx context.Context, method string, params, result any) error {
	return protocol.Call(ctx, sp.conn, method, params, result)
}

func (sp *streamPeer) notify(method string, params any) {
	_ = sp.conn.Notify(sp.session.ctx, method, params) // fails only if the connection is closed
}
