package lsp

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// session handles the messages of one client. It implements [transport.Session].
type session struct {
	*cache.Workspace
	server     *Server
	ctx        context.Context // ends with the session
	cancel     context.CancelFunc
	exitStatus chan int      // receives the exit status once
	abandoned  chan struct{} // closed when shutdown abandons unanswered requests
	peer       transport.Peer
	isLocal    bool // the client started this process

	phase            atomic.Int32
	requests         sync.WaitGroup // whose responses are not yet written
	tokens           tokenCache
	jobs             jobs
	traceValue       atomic.Pointer[protocol.TraceValue] // nil for off
	settingsRequests atomic.Int64                        // number of requests for the client's settings
}

// snapshot is the workspace as a request sees it.
type snapshot struct {
	*cache.Snapshot
	session *session
}

// snapshot returns the workspace's newest snapshot.
func (s *session) snapshot() *snapshot { return &snapshot{s.Current(), s} }

// Phases of a session.
const (
	phaseInitial  int32 = iota // before initialize
	phaseServing               // between initialize and shutdown
	phaseStopping              // after shutdown, when only exit is allowed
)

// NewSession starts a session with a client. IsLocal says that the client started this process. Then
// the session watches the client's process and trusts it by default.
func (s *Server) NewSession(peer transport.Peer, isLocal bool) transport.Session {
	sess := &session{server: s, isLocal: isLocal, exitStatus: make(chan int, 1), abandoned: make(chan struct{})}
	sess.peer = &tracedPeer{peer, sess}
	disk := s.Disk
	if s.Remote {
		disk = Disk{}
	}
	sess.tokens.last = map[uri.URI]*protocol.SemanticTokens{}
	sess.ctx, sess.cancel = context.WithCancel(context.Background())
	sess.Workspace = cache.NewWorkspace(sess.ctx, sess.peer, disk, s.quiet(), sess.log)
	sess.jobs = jobs{session: sess, running: map[string]*job{}, slots: make(chan struct{}, maxJobs)}
	if s.Context != nil {
		stop := context.AfterFunc(s.Context, func() { sess.end(0) })
		context.AfterFunc(sess.ctx, func() { stop() })
	}
	return sess
}

// Context ends with the session.
func (s *session) Context() context.Context { return s.ctx }

// ExitStatus waits for the end of the session.
func (s *session) ExitStatus() int { return <-s.exitStatus }

// Wait waits briefly for the session's jobs.
func (s *session) Wait() { s.jobs.wait() }

// HangUp ends the session because the connection ended.
func (s *session) HangUp(reason error) {
	if reason != io.EOF {
		s.log("the stream ended: %v", reason)
	}
	s.hangUp()
}

// end ends the session with an exit status. Only the first call counts.
func (s *session) end(status int) {
	select {
	case s.exitStatus <- status:
	default:
	}
	s.cancel()
}

// hangUp ends the session because the connection closed. That is an error unless the client asked
// for shutdown before.
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

// HandleRequest answers a request. Before it calls release, the session stays as it was when the
// request arrived.
func (s *session) HandleRequest(ctx context.Context, method string, params []byte, release func(written func())) (jsonrpc2.RawMessage, error) {
	s.trace("received request", method, params)
	result, err := s.respond(ctx, method, params, release)
	if err != nil {
		s.trace("sent error", method, err)
	} else {
		s.trace("sent response", method, []byte(result))
	}
	return result, err
}

// respond is HandleRequest without the trace.
func (s *session) respond(ctx context.Context, method string, params []byte, release func(written func())) (jsonrpc2.RawMessage, error) {
	r, known := routes()[method]
	refusal := s.checkPhase(method)
	if refusal == nil && (!known || r.handleNotification != nil) {
		refusal = jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no request `%s`", method)
	}
	switch {
	case refusal == errStopping:
		return nil, refusal // answered in order, because the next message may be exit
	case refusal == nil && r.handleSync != nil:
		return s.runGuarded(method, func() (any, error) { return r.handleSync(s, params) })
	}
	snap := s.snapshot()
	s.requests.Add(1)
	release(s.requests.Done) // from here on, a client that does not read delays only its own responses
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
	case <-ctx.Done(): // the handler is abandoned
		return nil, protocol.ErrRequestCancelled
	case <-s.abandoned:
		return nil, protocol.ErrRequestCancelled
	}
}

// checkPhase returns an error if the request is not allowed in the current phase.
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

// HandleNotification handles a notification. Errors are only logged, because a notification has no
// response.
func (s *session) HandleNotification(method string, params []byte) {
	s.trace("received notification", method, params)
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

// runGuarded runs a handler and encodes its result. A panic becomes an InternalError response.
func (s *session) runGuarded(method string, handler func() (any, error)) (result jsonrpc2.RawMessage, err error) {
	fault := s.GuardPanic(method, func() {
		var value any
		if value, err = handler(); err == nil {
			result, err = transport.Codec{}.Marshal(value)
		}
	})
	if fault != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "`%s` failed: %v", method, fault)
	}
	return result, err
}

func (s *session) log(format string, args ...any) {
	s.server.logger().Output(2, fmt.Sprintf(format, args...))
}

// shutdownGrace is how long shutdown waits for running requests. A client that pipes in all
// requests at once still gets its responses.
const shutdownGrace = 500 * time.Millisecond

// shutdown rejects new work and ends what is running.
func shutdown(s *session, _ *noParams) (any, error) {
	s.phase.Store(phaseStopping)
	published := s.Stop()
	s.jobs.cancel("")
	settled := make(chan struct{})
	go func() {
		s.requests.Wait()
		<-published
		s.jobs.wg.Wait()
		close(settled)
	}()
	if !s.waitFor(shutdownGrace, settled) {
		close(s.abandoned)
		s.waitFor(shutdownGrace, settled) // until the error responses are written
	}
	return nil, nil
}

// waitFor waits until done is closed, the session ends or the timeout passes. It returns false on
// timeout.
func (s *session) waitFor(timeout time.Duration, done <-chan struct{}) bool {
	select {
	case <-done:
	case <-s.ctx.Done():
	case <-time.After(timeout):
		return false
	}
	return true
}

// parentPollInterval is how often the server checks that the client's process exists: a killed
// editor may leave the pipes open.
const parentPollInterval = 500 * time.Millisecond

// watchParent ends the session when the process exits.
func (s *session) watchParent(pid int) {
	if pid <= 0 {
		return
	}
	go func() {
		tick := time.NewTicker(parentPollInterval)
		defer tick.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-tick.C:
				if !isAlive(pid) {
					s.log("the client's process %d has exited", pid)
					s.hangUp()
					return
				}
			}
		}
	}()
}
