package host

import (
	"fmt"
	"sync"
	"time"
)

// Limits of how long applying a schema may take, to all that belongs to one file.
// Work is counted before it is done, so this holds what the count does not see,
// such as a pattern over a very long text; what is left behind then ends soon, by
// the count.
const (
	maxApplying        = 10 * time.Second
	maxApplyingPerItem = 2 * time.Millisecond // more, for each of the file's parts
)

var errTooLong = fmt.Errorf("applying it takes longer than %s", maxApplying)

// budget is the time that is left for a schema and a file. Each use adds a
// little, so a file of many cases has what it needs.
type budget struct {
	mu   sync.Mutex
	left time.Duration
}

func newBudget() *budget { return &budget{left: maxApplying} }

// begin is how long a use may take, and what to call at its end. One that has
// taken too long is the last.
func (b *budget) begin() (within time.Duration, spent func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left <= 0 {
		return 0, nil, errTooLong
	}
	start := time.Now()
	return b.left, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.left = min(b.left-time.Since(start)+maxApplyingPerItem, maxApplying)
	}, nil
}
