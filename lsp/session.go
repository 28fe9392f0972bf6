package lsp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

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

// Wait waits briefly for the session's jobs.
func (s *session) Wait() { s.jobs.wait() }

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
