package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/lsp/internal/cache"
)

// route is one method that clients may send: a request or a notification. One of handle, handleSync
// and handleNotification is set.
type route struct {
	method string
	// handle answers a request from the snapshot that was current when it was read.
	handle func(ctx context.Context, s *snapshot, params []byte) (any, error)
	// handleSync answers a request before the next message is read.
	handleSync func(s *session, params []byte) (any, error)
	// handleNotification handles a notification.
	handleNotification func(s *session, params []byte) error
	// offer adds the method to the server's capabilities.
	offer func(o *protocol.ServerCapabilities, c *cache.Client)
}

// noParams is the parameter type of methods whose parameters are ignored.
type noParams struct{}

// request is a route for a request. F runs concurrently, sees only its snapshot, and is abandoned
// when the client cancels.
func request[P, R any](method string, f func(context.Context, *snapshot, *P) (R, error), offer func(*protocol.ServerCapabilities, *cache.Client)) route {
	return route{method: method, offer: offer, handle: func(ctx context.Context, s *snapshot, raw []byte) (any, error) {
		return withParams(raw, func(p *P) (any, error) { return f(ctx, s, p) })
	}}
}

// syncRequest is a route for a request that changes the session.
func syncRequest[P, R any](method string, f func(*session, *P) (R, error)) route {
	return route{method: method, handleSync: func(s *session, raw []byte) (any, error) {
		return withParams(raw, func(p *P) (any, error) { return f(s, p) })
	}}
}

// notification is a route for a notification. An error of f is logged.
func notification[P any](method string, f func(*session, *P) error, offer func(*protocol.ServerCapabilities, *cache.Client)) route {
	return route{method: method, offer: offer, handleNotification: func(s *session, raw []byte) error {
		_, err := withParams(raw, func(p *P) (any, error) { return nil, f(s, p) })
		return err
	}}
}

// withParams calls f with decoded parameters. Invalid ones are an InvalidParams error.
func withParams[P any](raw []byte, f func(*P) (any, error)) (any, error) {
	p := new(P)
	if _, empty := any(p).(*noParams); empty {
		return f(p)
	}
	if raw == nil {
		return nil, errMissingParams
	}
	if err := protocol.Unmarshal(raw, p); err != nil {
		return nil, errInvalidParams
	}
	return f(p)
}

var (
	errMissingParams = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters are missing")
	errInvalidParams = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters do not fit this method")
)
