package provider

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

// RetryPolicy says how often an attempt that failed temporarily is repeated, and after how long.
type RetryPolicy struct {
	Retries      int
	InitialDelay time.Duration // before the first retry
	MaxDelay     time.Duration // before any retry, unless the provider asks for more; see [MaxRetryAfter]
	Factor       float64       // by which delays grow
	Statuses     []int         // HTTP statuses to retry; nil means those of temporary faults
}

// MaxRetryAfter is the longest delay that a provider may ask for.
const MaxRetryAfter = 5 * time.Minute

// DefaultRetry is the policy of the reference implementation.
var DefaultRetry = RetryPolicy{Retries: 3, InitialDelay: time.Second, MaxDelay: time.Minute, Factor: 2}

// nextDelay returns how long to wait after attempt try (from 0) failed, and whether to try again.
// Half of our own delay is random, and a provider's delay is extended at random, so that requests
// that failed together do not return together.
func (p RetryPolicy) nextDelay(f *wire.Fault, try int, jitter float64) (time.Duration, bool) {
	temporary := f.IsTemporary()
	if len(p.Statuses) > 0 && f.Status != 0 {
		temporary = slices.Contains(p.Statuses, f.Status)
	}
	if !temporary || try >= p.Retries || f.RetryAfter > MaxRetryAfter {
		return 0, false
	}
	own := min(float64(p.InitialDelay)*math.Pow(p.Factor, float64(try)), float64(p.MaxDelay))
	if f.RetryAfter > 0 {
		return f.RetryAfter + time.Duration(jitter*float64(p.InitialDelay)), true
	}
	return time.Duration(own * (1 + jitter) / 2), true
}

// Limits are the requests and tokens per minute for a provider; 0 means no limit.
type Limits struct {
	Requests int
	Tokens   int
}

// limiter lets requests to one provider pass within its limits, and none while the provider has
// asked to pause.
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

// wait waits until a request with so many tokens may be sent. A cancelled wait uses nothing up.
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

// reserveTokens uses tokens up, at most a minute's worth: a larger request would never be sent.
func (l *limiter) reserveTokens(now time.Time, tokens int) *rate.Reservation {
	if burst := l.tokens.Burst(); burst > 0 {
		tokens = min(tokens, burst)
	}
	return l.tokens.ReserveN(now, max(0, tokens))
}

// pause stops all requests until a time.
func (l *limiter) pause(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.pausedUntil) {
		l.pausedUntil = until
	}
}
