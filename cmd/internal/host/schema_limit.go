package host

import (
	"fmt"
	"sync"
	"time"

	"github.com/rubric-ls/rubric/core/jsonschema"
)

// Limits of how long applying a schema may take, to all that belongs to one file.
// Work is counted before it is done, so this holds what the count does not see,
// such as a pattern over a very long text; what is left behind then ends soon, by
// the count.
const (
	maxSchemaTime   = 10 * time.Second
	extraSchemaTime = 2 * time.Millisecond // more, for each of the file's parts
)

var errTooLong = fmt.Errorf("applying it takes longer than %s", maxSchemaTime)

// timeBudget is the time that is left for a schema and a file. Each use adds a
// little, so a file of many cases has what it needs.
type timeBudget struct {
	mu   sync.Mutex
	left time.Duration // 0 once something took too long
}

func newTimeBudget() *timeBudget { return &timeBudget{left: maxSchemaTime} }

// newSchemaLimit is a budget of its own.
func newSchemaLimit() jsonschema.Limit { return newTimeBudget().run }

// run does some work, or says that it takes too long: what has once is not done
// again.
func (b *timeBudget) run(work func()) error {
	b.mu.Lock()
	left := b.left
	b.mu.Unlock()
	if left <= 0 {
		return errTooLong
	}
	start := time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	timeout := time.NewTimer(left)
	defer timeout.Stop()
	var err error
	select {
	case <-done:
	case <-timeout.C:
		err = errTooLong
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.left = 0
	} else if b.left > 0 {
		b.left = min(b.left-time.Since(start)+extraSchemaTime, maxSchemaTime)
	}
	return err
}
