package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// route is one method that clients may send: a request or a notification.
type route struct {
	method string
	// handle answers a request from the snapshot of when it was read.
	handle func(ctx context.Context, at *snapshot, params []byte) (any, error)
	// handleSync answers a request in its turn, before anything else is read.
	handleSync func(s *session, params []byte) (any, error)
	// handleNotification takes in a notification.
	handleNotification func(s *session, params []byte) error
	// offer adds the method to what the server says it can do.
	offer func(o *protocol.ServerCapabilities, c *client)
}

// noParams are the parameters of a method that has none to speak of.
type noParams struct{}

// request is a request. The function may take its time and is given up when the
// client cancels; it sees nothing but its snapshot.
func request[P, R any](method string, f func(context.Context, *snapshot, *P) (R, error), offer func(*protocol.ServerCapabilities, *client)) route {
	return route{method: method, offer: offer, handle: func(ctx context.Context, at *snapshot, raw []byte) (any, error) {
		p, err := decodeParams[P](raw)
		if err != nil {
			return nil, err
		}
		return f(ctx, at, p)
	}}
}

// syncRequest is a request that changes the session, and so is answered in its turn.
func syncRequest[P, R any](method string, f func(*session, *P) (R, error)) route {
	return route{method: method, handleSync: func(s *session, raw []byte) (any, error) {
		p, err := decodeParams[P](raw)
		if err != nil {
			return nil, err
		}
		return f(s, p)
	}}
}

// notification is a notification; an error is logged.
func notification[P any](method string, f func(*session, *P) error, offer func(*protocol.ServerCapabilities, *client)) route {
	return route{method: method, offer: offer, handleNotification: func(s *session, raw []byte) error {
		p, err := decodeParams[P](raw)
		if err != nil {
			return err
		}
		return f(s, p)
	}}
}

// decodeParams reads parameters; what cannot be read is -32602.
func decodeParams[P any](raw []byte) (*P, error) {
	p := new(P)
	if _, empty := any(p).(*noParams); empty {
		return p, nil
	}
	if raw == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters are missing")
	}
	if err := protocol.Unmarshal(raw, p); err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters are not those of this method")
	}
	return p, nil
}
