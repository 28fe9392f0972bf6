package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/transport"
)

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
	value := protocol.TraceValueOff
	if v := s.traceValue.Load(); v != nil {
		value = *v
	}
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
