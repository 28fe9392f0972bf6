package provider

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits are what may be asked of a provider in a minute; 0 is any number.
type Limits struct {
	Requests int
	Tokens   int
}

// gate lets requests to one provider pass no faster than its limits, and none
// while it has asked for a rest.
type gate struct {
	requests *rate.Limiter
	tokens   *rate.Limiter
	mu       sync.Mutex
	rest     time.Time
}

func newGate(l Limits) *gate {
	return &gate{requests: perMinute(l.Requests, max(1, l.Requests/60)), tokens: perMinute(l.Tokens, l.Tokens)}
}

func perMinute(n, burst int) *rate.Limiter {
	if n <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
}

// pass waits until a request of so many tokens may be sent. A wait that is
// broken off uses nothing up.
func (g *gate) pass(ctx context.Context, c *Client, tokens int) error {
	now := c.Now()
	request, reading := g.requests.ReserveN(now, 1), g.take(now, tokens)
	g.mu.Lock()
	delay := g.rest.Sub(now)
	g.mu.Unlock()
	delay = max(delay, request.DelayFrom(now), reading.DelayFrom(now))
	if delay <= 0 {
		return context.Cause(ctx)
	}
	err := c.Wait(ctx, delay)
	if err != nil {
		request.CancelAt(c.Now())
		reading.CancelAt(c.Now())
	}
	return err
}

// take uses tokens up, though never more than a minute's: such a request would
// never be sent.
func (g *gate) take(now time.Time, tokens int) *rate.Reservation {
	if burst := g.tokens.Burst(); burst > 0 {
		tokens = min(tokens, burst)
	}
	return g.tokens.ReserveN(now, max(0, tokens))
}

// pause keeps all requests back for a while.
func (g *gate) pause(until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until.After(g.rest) {
		g.rest = until
	}
}
