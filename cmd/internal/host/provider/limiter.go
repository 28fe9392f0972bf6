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

// limiter lets requests to one provider pass no faster than its limits, and none
// while it has asked for a rest.
type limiter struct {
	requests    *rate.Limiter
	tokens      *rate.Limiter
	mu          sync.Mutex
	pausedUntil time.Time
}

func newLimiter(l Limits) *limiter {
	return &limiter{requests: perMinute(l.Requests, max(1, l.Requests/60)), tokens: perMinute(l.Tokens, l.Tokens)}
}

func perMinute(n, burst int) *rate.Limiter {
	if n <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
}

// wait waits until a request of so many tokens may be sent. A wait that is
// broken off uses nothing up.
func (l *limiter) wait(ctx context.Context, c *Client, tokens int) error {
	now := c.Now()
	request, reserved := l.requests.ReserveN(now, 1), l.reserveTokens(now, tokens)
	l.mu.Lock()
	delay := l.pausedUntil.Sub(now)
	l.mu.Unlock()
	delay = max(delay, request.DelayFrom(now), reserved.DelayFrom(now))
	if delay <= 0 {
		return context.Cause(ctx)
	}
	err := c.Wait(ctx, delay)
	if err != nil {
		request.CancelAt(c.Now())
		reserved.CancelAt(c.Now())
	}
	return err
}

// reserveTokens uses tokens up, though never more than a minute's: such a request would
// never be sent.
func (l *limiter) reserveTokens(now time.Time, tokens int) *rate.Reservation {
	if burst := l.tokens.Burst(); burst > 0 {
		tokens = min(tokens, burst)
	}
	return l.tokens.ReserveN(now, max(0, tokens))
}

// pause keeps all requests back for a while.
func (l *limiter) pause(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.pausedUntil) {
		l.pausedUntil = until
	}
}
