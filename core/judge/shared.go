package judge

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// A Ledger stores small values that the processes of a run share.
type Ledger interface {
	// Change replaces the value under a name by what change returns. The old value is nil if there is none, and now is
	// the same time for all processes. If others change the value meanwhile, change is called again.
	// Values whose names begin with [AllRuns] are shared by all runs.
	Change(ctx context.Context, name string, change func(old []byte, now time.Time) ([]byte, error)) error
	// Wait waits for a moment in which others can change values.
	Wait(ctx context.Context) error
}

// AllRuns begins the names of values that all runs share.
const AllRuns = "all-runs "

// Shared is a value of this process or, with a ledger, of all processes that use it. The zero value is ready to use.
type Shared[T any] struct {
	Ledger Ledger
	Name   string // in the ledger

	mu    sync.Mutex
	value T
}

// Change calls change with the value, which it can modify, and the ledger's time. Without a ledger, the time is zero.
func (s *Shared[T]) Change(ctx context.Context, change func(value *T, now time.Time)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Ledger == nil {
		change(&s.value, time.Time{})
		return nil
	}
	return s.Ledger.Change(ctx, s.Name, func(old []byte, now time.Time) ([]byte, error) {
		var value T
		if old != nil {
			if err := json.Unmarshal(old, &value); err != nil {
				return nil, err
			}
		}
		change(&value, now)
		return json.Marshal(value)
	})
}
