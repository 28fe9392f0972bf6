package lsp

import (
	"context"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/frame"
)

// Serve serves one client on this machine over a stream of bytes until it exits,
// hangs up or dies, and gives the exit status of the protocol: 0 if it had asked
// for shutdown, else 1. Conn is closed then.
func (s *Server) Serve(conn io.ReadWriteCloser) int { return s.serve(frame.New(conn), true) }

// serve serves one client. Local says that the client has started this process: its
// own process is watched, and it is trusted unless it says otherwise.
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
	_ = stream.Close() // it may have been the other end that closed
	peer.session.jobs.wait()
	return status
}

// streamPeer joins a session to a client over the library's connection.
type streamPeer struct {
	session *session
	conn    jsonrpc2.Conn

	mu      sync.Mutex
	cancels map[jsonrpc2.ID]context.CancelFunc
}

// handle takes each message in its turn. The request and its context are the
// library's and are used again by it: contexts of our own come from the
// session's.
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
	// A frame is ours for good, so what is in it outlives the release.
	return sp.session.handleRequest(ctx, req.Method(), req.Params(), func() { sp.release(reqCtx) })
}

// release lets the next message be read. From then on the request's context is
// not used again, and ends when its answer has been written.
func (sp *streamPeer) release(reqCtx context.Context) {
	jsonrpc2.Async(reqCtx)
	sp.session.requests.Add(1)
	context.AfterFunc(reqCtx, sp.session.requests.Done)
}

// cancelRequest gives up a request; one that was answered or never made is no fault.
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
	_ = sp.conn.Notify(sp.session.ctx, method, params) // nobody is left to be told that nobody is there
}
