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
	server     *Server
	ctx        context.Context // ends with the session
	cancel     context.CancelFunc
	exitStatus chan int      // the exit status, once
	abandoned  chan struct{} // closed when what is still being worked out at shutdown is given up
	peer       peer
	disk       Disk
	isLocal    bool // the client has started this process

	phase       atomic.Int32
	snapshot    atomic.Pointer[snapshot]
	updateMu    sync.Mutex
	publisher   publisher
	reloadTimer *time.Timer
	requests    sync.WaitGroup // those whose answer has not been written
	closedFiles fileCache
	index       workspaceIndex
	tokens      tokenCache
	jobs        jobs
	results     resultStore
	changes     broadcast

	refresher        refresher
	settingsRequests atomic.Int64 // how often the client was asked for its settings
	filesChanged     atomic.Bool  // files that nobody has open have changed
}

// The phases of a session.
const (
	phaseInitial  int32 = iota // for initialize
	phaseServing               // everything
	phaseStopping              // after shutdown: exit is all that may come
)

// newSession starts a session with a client; end ends it.
func (s *Server) newSession(peer peer) *session {
	sess := &session{server: s, peer: peer, exitStatus: make(chan int, 1), abandoned: make(chan struct{})}
	if !s.Remote {
		sess.disk = s.Disk
	}
	sess.refresher.wake = make(chan struct{}, 1)
	sess.ctx, sess.cancel = context.WithCancel(context.Background())
	sess.snapshot.Store(&snapshot{session: sess, client: &client{peer: peer}, RunSettings: RunSettings{}.withDefaults()})
	sess.jobs = jobs{session: sess, running: map[string]*job{}, slots: make(chan struct{}, maxJobs)}
	sess.publisher = publisher{session: sess, pending: map[docID]bool{}, slots: make(chan struct{}, publishWorkers())}
	sess.reloadTimer = time.AfterFunc(time.Hour, func() {
		_, _ = sess.runGuarded("look again", func() (any, error) { sess.reload(); return nil, nil }) // which logs its fault
	})
	sess.reloadTimer.Stop()
	return sess
}

// end ends the session with an exit status; the first one counts.
func (s *session) end(status int) {
	select {
	case s.exitStatus <- status:
	default:
	}
	s.reloadTimer.Stop()
	s.cancel()
}

// hangUp ends the session because the client is gone, which is as it should be
// after shutdown alone.
func (s *session) hangUp() {
	if s.phase.Load() == phaseStopping {
		s.end(0)
		return
	}
	s.end(1)
}

var (
	errNotInitialized     = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the session has not been initialized")
	errAlreadyInitialized = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been initialized already")
	errStopping           = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been shut down")
)

// handleRequest answers a request, as JSON. It is called in the order in which they
// are read; release lets the next message be read, and until it is called the
// session is as it was when this one was.
func (s *session) handleRequest(ctx context.Context, method string, params []byte, release func()) (jsonrpc2.RawMessage, error) {
	r, known := routes()[method]
	refusal := s.checkPhase(method)
	if refusal == nil && (!known || r.handleNotification != nil) {
		refusal = jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no request `%s`", method)
	}
	switch {
	case refusal == errStopping:
		return nil, refusal // before the next message is read, which may be exit
	case refusal == nil && r.handleSync != nil:
		return s.runGuarded(method, func() (any, error) { return r.handleSync(s, params) })
	}
	snap := s.snapshot.Load()
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
		result, err := s.runGuarded(method, func() (any, error) { return r.handle(ctx, snap, params) })
		done <- answer{result, err}
	}()
	select {
	case a := <-done:
		return a.result, a.err
	case <-ctx.Done(): // what is still being worked out is let go
		return nil, protocol.ErrRequestCancelled
	case <-s.abandoned:
		return nil, protocol.ErrRequestCancelled
	}
}

// checkPhase tells whether a request may come now.
func (s *session) checkPhase(method string) error {
	switch isInitialize := method == protocol.MethodInitialize; s.phase.Load() {
	case phaseInitial:
		if !isInitialize {
			return errNotInitialized
		}
	case phaseServing:
		if isInitialize {
			return errAlreadyInitialized
		}
	case phaseStopping:
		return errStopping
	}
	return nil
}

// handleNotification takes in a notification. Whatever is wrong with it, the session goes
// on: there is nobody to answer.
func (s *session) handleNotification(method string, params []byte) {
	if method == protocol.MethodExit {
		s.hangUp()
		return
	}
	r, known := routes()[method]
	if !known || r.handleNotification == nil || s.phase.Load() != phaseServing {
		return
	}
	if _, err := s.runGuarded(method, func() (any, error) { return nil, r.handleNotification(s, params) }); err != nil {
		s.log("%s: %v", method, err)
	}
}

// runGuarded runs a handler and encodes its result. A panic is a fault of ours that
// the client is told of, and nothing more.
func (s *session) runGuarded(method string, handler func() (any, error)) (result jsonrpc2.RawMessage, err error) {
	fault := s.guardPanic(method, func() {
		var value any
		if value, err = handler(); err == nil {
			result, err = codec{}.Marshal(value)
		}
	})
	if fault != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "`%s` failed: %v", method, fault)
	}
	return result, err
}

// guardPanic calls do and logs the panic in it. Of several files each is looked at
// guarded, so that the fault of one leaves the others' answers as they are.
func (s *session) guardPanic(name string, task func()) *diag.Panic {
	fault := diag.CatchPanic(task)
	if fault != nil {
		s.log("%s: %v\n%s", name, fault, fault.Stack)
	}
	return fault
}

func (s *session) log(format string, args ...any) {
	s.server.logger().Output(2, fmt.Sprintf(format, args...))
}
