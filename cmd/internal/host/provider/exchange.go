package provider

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/judge/provider/address"
)

// Request is a request that is no question to a model, such as one to a server of agents.
type Request struct {
	Method  string
	Address address.Address
	Body    []byte
	Timeout time.Duration // for one attempt; the client's by default
	// Once says that the server acts on the request, so that it is sent again only if the server has
	// refused it for now (statuses 429 and 503).
	Once bool
	// Redact removes secrets from the response; nil if there are none.
	Redact func(string) string
}

// Exchange sends a request, again after temporary failures, and returns the response of a successful
// status. Otherwise the error wraps a [*wire.Fault], unless it is the cause of ctx.
func (c *Client) Exchange(ctx context.Context, r Request) (wire.Response, error) {
	template, err := newRequest(r.Address)
	if err != nil {
		return wire.Response{}, err
	}
	if template.Method = r.Method; r.Once {
		delete(template.Header, "Idempotency-Key")
	}
	for try := 0; ; try++ {
		reply, err := c.send(ctx, template, r.Body, cmp.Or(r.Timeout, c.Timeout))
		if r.Redact != nil {
			reply.Body = r.Redact(reply.Body)
		}
		if err == nil && (reply.Status < 200 || reply.Status > 299) {
			err = wire.StatusFault(reply)
		}
		var fault *wire.Fault
		if !errors.As(err, &fault) {
			return reply, err
		}
		delay, retry := DefaultRetry.nextDelay(fault, try, c.Jitter())
		if !retry || r.Once && fault.Status != http.StatusTooManyRequests && fault.Status != http.StatusServiceUnavailable {
			return reply, fault
		}
		if err := c.Wait(ctx, delay); err != nil {
			return reply, err
		}
	}
}
