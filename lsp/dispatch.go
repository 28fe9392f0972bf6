package lsp

import (
	"cmp"
	"context"
	"io"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
	"github.com/rubric-ls/rubric/lsp/transport"
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
	sess.ctx, sess.cancel = context.WithCancel(context.Background())
	sess.Workspace = cache.NewWorkspace(sess.ctx, sess.peer, disk, cmp.Or(s.Quiet, DefaultQuiet), sess.log)
	sess.jobs = jobs{Workspace: sess.Workspace, ctx: sess.ctx, running: map[string]*job{}, slots: make(chan struct{}, maxJobs)}
	if s.Context != nil {
		stop := context.AfterFunc(s.Context, func() { sess.end(0) })
		context.AfterFunc(sess.ctx, func() { stop() })
	}
	return sess
}

// HangUp ends the session because the connection ended. That is an error unless the client asked for
// shutdown before.
func (s *session) HangUp(reason error) {
	if reason != io.EOF {
		s.log("the stream ended: %v", reason)
	}
	status := 1
	if s.phase.Load() == phaseStopping {
		status = 0
	}
	s.end(status)
}

var (
	errNotInitialized     = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the session has not been initialized")
	errAlreadyInitialized = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been initialized already")
	errStopping           = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session has been shut down")
)

// HandleRequest answers a request. Until it calls release, no later message changes the session.
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
		s.HangUp(io.EOF)
		return
	}
	r, known := routes()[method]
	if !known || r.handleNotification == nil || s.phase.Load() != phaseServing {
		return
	}
	s.GuardPanic(method, func() {
		if err := r.handleNotification(s, params); err != nil {
			s.log("%s: %v", method, err)
		}
	})
}

// setTrace handles $/setTrace: from now on the client receives $/logTrace for each message, with
// the message's content if the value is verbose.
func setTrace(s *session, p *protocol.SetTraceParams) error {
	s.traceValue.Store(&p.Value)
	return nil
}

// trace reports a message to the server's log if [Server.Trace] is set, and to the client as far as
// it asks for. Event says what happened, such as "received request". Content is a value that is
// encoded as JSON, or encoded JSON.
func (s *session) trace(event, method string, content any) {
	value := *cmp.Or(s.traceValue.Load(), new(protocol.TraceValueOff))
	// The client knows the server only after the response to initialize.
	isForClient := method != protocol.MethodInitialize && (value == protocol.TraceValueMessages || value == protocol.TraceValueVerbose)
	if !s.server.Trace && !isForClient {
		return
	}
	text := traceText(method, content)
	if s.server.Trace {
		s.log("%s %s %s", event, method, text)
	}
	if isForClient {
		params := &protocol.LogTraceParams{Message: event + " '" + method + "'"}
		if value == protocol.TraceValueVerbose {
			params.Verbose = &text
		}
		s.peer.(*tracedPeer).Peer.Notify(protocol.MethodLogTrace, params)
	}
}

// traceText is a message's content as a trace shows it. It leaves out what can be a secret: the token
// in the options of initialize, and API keys.
func traceText(method string, content any) string {
	if method == protocol.MethodInitialize || method == methodKey {
		return "(content omitted)"
	}
	switch content := content.(type) {
	case nil:
		return ""
	case error:
		return content.Error()
	case []byte:
		return string(content)
	}
	encoded, err := transport.Codec{}.Marshal(content)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}

// A tracedPeer traces what the server sends.
type tracedPeer struct {
	transport.Peer
	session *session
}

func (p *tracedPeer) Call(ctx context.Context, method string, params, result any) error {
	p.session.trace("sent request", method, params)
	err := p.Peer.Call(ctx, method, params, result)
	if err != nil {
		p.session.trace("received error", method, err)
	} else {
		p.session.trace("received response", method, result)
	}
	return err
}

func (p *tracedPeer) Notify(method string, params any) {
	p.session.trace("sent notification", method, params)
	p.Peer.Notify(method, params)
}
