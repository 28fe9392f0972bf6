package provider

import (
	"math"
	"slices"
	"time"

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// Patience is how often a try is repeated that failed for a passing reason, and
// after how long.
type Patience struct {
	Retries  int
	First    time.Duration // before the first repeat
	Most     time.Duration // before any; but a provider that asks for more is given up to [Longest]
	Factor   float64       // by which waits grow
	Statuses []int         // of HTTP, for which to repeat; nil: those that pass
}

// Longest is how long a provider may ask to wait.
const Longest = 5 * time.Minute

// Usual is the patience of the reference implementation.
var Usual = Patience{Retries: 3, First: time.Second, Most: time.Minute, Factor: 2}

// next is how long to wait after the try-th try (from 0) failed, and whether to
// try again at all. Half of a wait of our own is left to chance, and a provider's
// own is stretched, so that those who failed together do not come back together.
func (p Patience) next(f *wire.Fault, try int, jitter float64) (time.Duration, bool) {
	passing := f.Passing()
	if len(p.Statuses) > 0 && f.Status != 0 {
		passing = slices.Contains(p.Statuses, f.Status)
	}
	if !passing || try >= p.Retries || f.After > Longest {
		return 0, false
	}
	own := min(float64(p.First)*math.Pow(p.Factor, float64(try)), float64(p.Most))
	if f.After > 0 {
		return f.After + time.Duration(jitter*float64(p.First)), true
	}
	return time.Duration(own * (1 + jitter) / 2), true
}
