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
func (s *Server) serve(stream *frame.Stream, local bool) int {
	link := &link{running: map[jsonrpc2.ID]context.CancelFunc{}}
	link.session = s.begin(link)
	link.session.local = local
	stream.Ended = func(err error) {
		if err != io.EOF {
			link.session.log("the stream ended: %v", err)
		}
		link.session.hangUp()
	}
	if s.Until != nil {
		defer context.AfterFunc(s.Until, func() { link.session.end(0) })()
	}
	link.conn = jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{}))
	link.conn.Go(link.session.ctx, link.handle)
	status := <-link.session.ended
	_ = stream.Close() // it may have been the other end that closed
	link.session.jobs.settle()
	return status
}

// link joins a session to a client over the library's connection.
type link struct {
	session *session
	conn    jsonrpc2.Conn

	lock    sync.Mutex
	running map[jsonrpc2.ID]context.CancelFunc
}

// handle takes each message in its turn. The request and its context are the
// library's and are used again by it: contexts of our own come from the
// session's.
func (l *link) handle(pooled context.Context, req *jsonrpc2.Request) (any, error) {
	switch {
	case req.Method() == protocol.MethodCancelRequest:
		l.cancel(req.Params())
		return nil, nil
	case !req.IsCall():
		l.session.notify(req.Method(), req.Params())
		return nil, nil
	}
	ctx, cancel := context.WithCancel(l.session.ctx)
	defer cancel()
	id := req.ID()
	l.lock.Lock()
	l.running[id] = cancel
	l.lock.Unlock()
	defer func() {
		l.lock.Lock()
		delete(l.running, id)
		l.lock.Unlock()
	}()
	// A frame is ours for good, so what is in it outlives the release.
	return l.session.request(ctx, req.Method(), req.Params(), func() { l.release(pooled) })
}

// release lets the next message be read. From then on the request's context is
// not used again, and ends when its answer has been written.
func (l *link) release(pooled context.Context) {
	jsonrpc2.Async(pooled)
	l.session.requests.Add(1)
	context.AfterFunc(pooled, l.session.requests.Done)
}

// cancel gives up a request; one that was answered or never made is no fault.
func (l *link) cancel(params []byte) {
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
	l.lock.Lock()
	defer l.lock.Unlock()
	if cancel := l.running[id]; cancel != nil {
		cancel()
	}
}

func (l *link) call(ctx context.Context, method string, params, result any) error {
	return protocol.Call(ctx, l.conn, method, params, result)
}

func (l *link) notify(method string, params any) {
	_ = l.conn.Notify(l.session.ctx, method, params) // nobody is left to be told that nobody is there
}
