package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// route is one method that clients may send: a request or a notification.
type route struct {
	method string
	// answer answers a request from the snapshot of when it was read.
	answer func(ctx context.Context, at *Snapshot, params []byte) (any, error)
	// inline answers a request in its turn, before anything else is read.
	inline func(s *session, params []byte) (any, error)
	// hear takes in a notification.
	hear func(s *session, params []byte) error
	// offer adds the method to what the server says it can do.
	offer func(o *protocol.ServerCapabilities, c *client)
}

// none are the parameters of a method that has none to speak of.
type none struct{}

// on is a request. The function may take its time and is given up when the
// client cancels; it sees nothing but its snapshot.
func on[P, R any](method string, f func(context.Context, *Snapshot, *P) (R, error), offer func(*protocol.ServerCapabilities, *client)) route {
	return route{method: method, offer: offer, answer: func(ctx context.Context, at *Snapshot, raw []byte) (any, error) {
		p, err := decode[P](raw)
		if err != nil {
			return nil, err
		}
		return f(ctx, at, p)
	}}
}

// inTurn is a request that changes the session, and so is answered in its turn.
func inTurn[P, R any](method string, f func(*session, *P) (R, error)) route {
	return route{method: method, inline: func(s *session, raw []byte) (any, error) {
		p, err := decode[P](raw)
		if err != nil {
			return nil, err
		}
		return f(s, p)
	}}
}

// told is a notification; an error is logged.
func told[P any](method string, f func(*session, *P) error, offer func(*protocol.ServerCapabilities, *client)) route {
	return route{method: method, offer: offer, hear: func(s *session, raw []byte) error {
		p, err := decode[P](raw)
		if err != nil {
			return err
		}
		return f(s, p)
	}}
}

// decode reads parameters; what cannot be read is -32602.
func decode[P any](raw []byte) (*P, error) {
	p := new(P)
	if _, empty := any(p).(*none); empty {
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
