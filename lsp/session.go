package lsp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// session handles the messages of one client. It implements [transport.Session].
type session struct {
	*cache.Workspace // the client's files, with their notifications: Open, Edit, Close

	server     *Server
	ctx        context.Context // ends with the session
	cancel     context.CancelFunc
	exitStatus chan int      // receives the exit status once
	abandoned  chan struct{} // closed when shutdown abandons unanswered requests
	peer       transport.Peer
	isLocal    bool // the client started this process

	phase            atomic.Int32
	requests         sync.WaitGroup // whose responses are not yet written
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

// Context ends with the session.
func (s *session) Context() context.Context { return s.ctx }

// ExitStatus waits for the end of the session.
func (s *session) ExitStatus() int { return <-s.exitStatus }

// Wait waits briefly, after the session's end, for the processes that jobs started. The server's
// process may exit next and would leave them behind.
func (s *session) Wait() {
	done := make(chan struct{})
	go func() { s.jobs.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * cancelGrace):
	}
}

// end ends the session with an exit status. Only the first call counts.
func (s *session) end(status int) {
	select {
	case s.exitStatus <- status:
	default:
	}
	s.cancel()
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

// Server holds what all sessions of a process share.
type Server struct {
	Name    string // as clients show it
	Version string
	Disk    Disk
	Host    Host
	// Remote says that clients run on other machines. They can read no file of this machine and run
	// nothing on it.
	Remote bool
	// Log receives errors of clients and of the server; nil discards them. It must not write to
	// standard output, which carries the protocol.
	Log *log.Logger
	// Trace writes every message to Log.
	Trace bool
	// Context ends the sessions; nil means never.
	Context context.Context
	// Quiet is the pause after the last change before dependencies are read again; 0 means
	// [DefaultQuiet].
	Quiet time.Duration
}

// DefaultQuiet is longer than the pauses while typing.
const DefaultQuiet = 250 * time.Millisecond

// Serve serves the client that started this process until it exits, hangs up or dies. It closes conn
// and returns the protocol's exit status: 0 after shutdown, otherwise 1.
func (s *Server) Serve(conn io.ReadWriteCloser) int { return transport.Serve(s, conn) }

// Logf logs an error of a client.
func (s *Server) Logf(format string, args ...any) { s.logger().Printf(format, args...) }

func (s *Server) logger() *log.Logger { return cmp.Or(s.Log, log.New(io.Discard, "", 0)) }

// shutdownGrace is how long shutdown waits for running requests. A client that pipes in all
// requests at once still gets its responses.
const shutdownGrace = 500 * time.Millisecond

// shutdown rejects new work and ends what is running.
func shutdown(s *session, _ *noParams) (any, error) {
	s.phase.Store(phaseStopping)
	awaitPublished := s.Stop()
	s.jobs.cancel("")
	settled := make(chan struct{})
	go func() {
		s.requests.Wait()
		awaitPublished()
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
					s.HangUp(io.EOF)
					return
				}
			}
		}
	}()
}
