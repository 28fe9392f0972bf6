package provider

import (
	"math"
	"slices"
	"time"

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// RetryPolicy is how often a try is repeated that failed for a passing reason, and
// after how long.
type RetryPolicy struct {
	Retries      int
	InitialDelay time.Duration // before the first repeat
	MaxDelay     time.Duration // before any; but a provider that asks for more is given up to [Longest]
	Factor       float64       // by which waits grow
	Statuses     []int         // of HTTP, for which to repeat; nil: those that pass
}

// MaxRetryAfter is how long a provider may ask to wait.
const MaxRetryAfter = 5 * time.Minute

// DefaultRetry is the patience of the reference implementation.
var DefaultRetry = RetryPolicy{Retries: 3, InitialDelay: time.Second, MaxDelay: time.Minute, Factor: 2}

// nextDelay is how long to wait after the try-th try (from 0) failed, and whether to
// try again at all. Half of a wait of our own is left to chance, and a provider's
// own is stretched, so that those who failed together do not come back together.
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
