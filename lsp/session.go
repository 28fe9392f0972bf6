package lsp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/diag"
)

// session is one client's, from its first byte to its last, on either stack.
type session struct {
	server *Server
	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	ended  chan int      // the exit status, once
	late   chan struct{} // closed when what is still being worked out at shutdown is given up
	peer   peer
	disk   Disk
	local  bool // the client has started this process

	phase    atomic.Int32
	now      atomic.Pointer[Snapshot]
	updating sync.Mutex
	publish  publisher
	quiet    *time.Timer
	requests sync.WaitGroup // those whose answer has not been written
	shelf    shelf
	among    among
	coloured coloured
	jobs     jobs
	results  results
	stirred  stirred

	refreshes     refresher
	settingsAsked atomic.Int64 // how often the client was asked for its settings
	elsewhere     atomic.Bool  // files that nobody has open have changed
}

// The phases of a session.
const (
	waiting  int32 = iota // for initialize
	serving               // everything
	stopping              // after shutdown: exit is all that may come
)

// begin starts a session with a client; end ends it.
func (s *Server) begin(reach peer) *session {
	n := &session{server: s, peer: reach, ended: make(chan int, 1), late: make(chan struct{})}
	if !s.Remote {
		n.disk = s.Disk
	}
	n.refreshes.hurry = make(chan struct{}, 1)
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.now.Store(&Snapshot{session: n, client: &client{peer: reach}, Running: Running{}.settled()})
	n.jobs = jobs{session: n, running: map[string]*job{}, slots: make(chan struct{}, atATime)}
	n.publish = publisher{session: n, again: map[docID]bool{}, slots: make(chan struct{}, workers())}
	n.quiet = time.AfterFunc(time.Hour, func() {
		_, _ = n.guard("look again", func() (any, error) { n.renew(); return nil, nil }) // which logs its fault
	})
	n.quiet.Stop()
	return n
}

// end ends the session with an exit status; the first one counts.
func (s *session) end(status int) {
	select {
	case s.ended <- status:
	default:
	}
	s.quiet.Stop()
	s.cancel()
}

// hangUp ends the session because the client is gone, which is as it should be
// after shutdown alone.
func (s *session) hangUp() {
	if s.phase.Load() == stopping {
		s.end(0)
		return
	}
	s.end(1)
}

var (
	errNotInitialized = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the session has not been initialized")
	errAgain          = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been initialized already")
	errStopping       = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been shut down")
)

// request answers a request, as JSON. It is called in the order in which they
// are read; release lets the next message be read, and until it is called the
// session is as it was when this one was.
func (s *session) request(ctx context.Context, method string, params []byte, release func()) (jsonrpc2.RawMessage, error) {
	r, known := routes()[method]
	refusal := s.gate(method)
	if refusal == nil && (!known || r.hear != nil) {
		refusal = jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no request `%s`", method)
	}
	switch {
	case refusal == errStopping:
		return nil, refusal // before the next message is read, which may be exit
	case refusal == nil && r.inline != nil:
		return s.guard(method, func() (any, error) { return r.inline(s, params) })
	}
	at := s.now.Load()
	release() // from here on a client that does not read holds up only its answer
	if refusal != nil {
		return nil, refusal
	}
	type answer struct {
		result jsonrpc2.RawMessage
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		result, err := s.guard(method, func() (any, error) { return r.answer(ctx, at, params) })
		done <- answer{result, err}
	}()
	select {
	case a := <-done:
		return a.result, a.err
	case <-ctx.Done(): // what is still being worked out is let go
		return nil, protocol.ErrRequestCancelled
	case <-s.late:
		return nil, protocol.ErrRequestCancelled
	}
}

// gate tells whether a request may come now.
func (s *session) gate(method string) error {
	switch first := method == protocol.MethodInitialize; s.phase.Load() {
	case waiting:
		if !first {
			return errNotInitialized
		}
	case serving:
		if first {
			return errAgain
		}
	case stopping:
		return errStopping
	}
	return nil
}

// notify takes in a notification. Whatever is wrong with it, the session goes
// on: there is nobody to answer.
func (s *session) notify(method string, params []byte) {
	if method == protocol.MethodExit {
		s.hangUp()
		return
	}
	r, known := routes()[method]
	if !known || r.hear == nil || s.phase.Load() != serving {
		return
	}
	if _, err := s.guard(method, func() (any, error) { return nil, r.hear(s, params) }); err != nil {
		s.log("%s: %v", method, err)
	}
}

// guard runs a handler and encodes its result. A panic is a fault of ours that
// the client is told of, and nothing more.
func (s *session) guard(method string, run func() (any, error)) (result jsonrpc2.RawMessage, err error) {
	fault := s.guarded(method, func() {
		var value any
		if value, err = run(); err == nil {
			result, err = codec{}.Marshal(value)
		}
	})
	if fault != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "`%s` failed: %v", method, fault)
	}
	return result, err
}

// guarded calls do and logs the panic in it. Of several files each is looked at
// guarded, so that the fault of one leaves the others' answers as they are.
func (s *session) guarded(what string, do func()) *diag.Fault {
	fault := diag.Guard(do)
	if fault != nil {
		s.log("%s: %v\n%s", what, fault, fault.Stack)
	}
	return fault
}

func (s *session) log(format string, args ...any) {
	s.server.logger().Output(2, fmt.Sprintf(format, args...))
}
