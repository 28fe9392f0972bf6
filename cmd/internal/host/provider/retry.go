package provider

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/rubric-ls/rubric/core/judge"
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
	limits   Limits
	schedule judge.Shared[schedule]
}

// schedule holds times until which the allowance of a limit is used up: a limit whose time is past allows a whole burst.
type schedule struct {
	Requests time.Time `json:"requests"`
	Tokens   time.Time `json:"tokens"`
	Paused   time.Time `json:"paused"`
}

// use uses up an allowance, and returns how long to wait until it allows that. A negative n returns it.
func use(until *time.Time, now time.Time, n, perMinute, burst int) time.Duration {
	if perMinute <= 0 {
		return 0
	}
	if until.Before(now) {
		*until = now
	}
	take := func(n int) time.Duration {
		return time.Duration(float64(n) / float64(perMinute) * float64(time.Minute))
	}
	*until = until.Add(take(min(n, burst))) // a larger request would never be sent
	return until.Sub(now) - take(burst)
}

// reserve uses up allowances for requests and tokens, and returns how long to wait for them.
func (l *limiter) reserve(ctx context.Context, c *Client, requests, tokens int) (delay time.Duration, err error) {
	err = l.schedule.Change(ctx, func(s *schedule, now time.Time) {
		if now.IsZero() {
			now = c.Now()
		}
		delay = max(s.Paused.Sub(now), use(&s.Requests, now, requests, l.limits.Requests, max(1, l.limits.Requests/60)),
			use(&s.Tokens, now, tokens, l.limits.Tokens, l.limits.Tokens))
	})
	return delay, err
}

// wait waits until a request with so many tokens may be sent. A cancelled wait uses nothing up.
func (l *limiter) wait(ctx context.Context, c *Client, tokens int) error {
	tokens = max(0, tokens)
	delay, err := l.reserve(ctx, c, 1, tokens)
	if err != nil || delay <= 0 {
		return cmp.Or(err, context.Cause(ctx))
	}
	if err = c.Wait(ctx, delay); err != nil {
		_, _ = l.reserve(context.WithoutCancel(ctx), c, -1, -min(tokens, l.limits.Tokens))
	}
	return err
}

// pause stops all requests for a while.
func (l *limiter) pause(ctx context.Context, c *Client, d time.Duration) {
	_ = l.schedule.Change(ctx, func(s *schedule, now time.Time) {
		if now.IsZero() {
			now = c.Now()
		}
		if until := now.Add(d); until.After(s.Paused) {
			s.Paused = until
		}
	})
}
